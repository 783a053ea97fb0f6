// C01: bytes that name a call that does not exist yet
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('fs.write', { path: '{folder}/y', create: true }, 3));
put(data_frame(2, utf8('abc')));
stall();
