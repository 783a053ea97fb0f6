// C01: a body in pieces of one byte arrives whole
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": ["ok", true]}
const text = 'abcdefghij'.repeat(50);
send(call_text('fs.write', { path: '{folder}/y', create: true }, text.length));
for (const letter of text) put(data_frame(1, utf8(letter)));
const wrote = said(next_reply());
return [wrote, call('fs.read', { path: '{folder}/y' }).text === text];
