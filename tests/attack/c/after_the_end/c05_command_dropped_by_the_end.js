// C05: a command that still waits for its folder when the run ends leaves no thread and no descriptor behind
// guest: probe
// with: frames.js
// with: calls.js
// files: many (many 20000 200)
// vfs: direct
// options: --allow-read={folder}
// expect: {"result": 1}
send(call_text('fs.readDir', { path: '{folder}/many' }));
send(call_text('run', { command: 'none', args: [], env: [], cwd: '{folder}', stdout: 'piped', stderr: 'piped' }));
send('{"frame":"done","result":1}');
stall();
