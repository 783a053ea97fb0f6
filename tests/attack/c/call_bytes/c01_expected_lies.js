// C01: the expected number in a piece's header is a hint that is not trusted
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// gateway-peak: 16MB
// vfs: direct
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": ["ok", "abc"]}
send(call_text('fs.write', { path: '{folder}/y', create: true }, 3));
put(data_frame(1, utf8('abc'), 2n ** 64n - 1n));
const wrote = said(next_reply());
return [wrote, call('fs.read', { path: '{folder}/y' }).text];
