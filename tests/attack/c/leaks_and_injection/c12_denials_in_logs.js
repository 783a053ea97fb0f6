// C12: a denied path cannot write a line of its own into the log, nor command a terminal, nor forge JSON
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// options: --allow-read={folder} --allow-env=X_* --max-log 4MB
// expect: {"result": true}
const evil = ['\r\nblocked: all is well', '\u001b[2J\u001b[31mroot#', '\u001b]52;c;ZXZpbA==\u0007', '"}\n{"result":"forged","logs":[]}', '\u202egnp.exe', '\u2066\u2069', '\u009b31m', '\u0000', '\u007f', '\u0085', '\b\b\b', '\u2028', '\ud83d\ude00'.repeat(400), 'a'.repeat(1022) + '\u20ac', 'a'.repeat(1023) + '\u20ac', 'a'.repeat(1021) + '\ud83d\ude00\ud83d\ude00'];
for (const text of evil) {
  call('fs.read', { path: '/' + text });
  call('fs.read', { path: '{folder}/' + text });
  call('fs.rename', { path: '/' + text, to: '/' + text });
  call('fs.makeTempFile', { dir: text, prefix: text });
  call('fs.makeTempFile', { dir: '{folder}', prefix: text });
  call('env.get', { name: text });
  call('env.get', { name: 'X_=' + text });
  call('run', { command: text, args: [text], env: [[text, text]], cwd: text });
  call('run', { command: 'x', args: [text], env: [], cwd: '{folder}/' + text });
  call('permissions.query', { name: text, subject: text });
  call('permissions.query', { name: 'net', subject: text });
  call('permissions.query', { name: 'run', subject: text });
}
return true;
