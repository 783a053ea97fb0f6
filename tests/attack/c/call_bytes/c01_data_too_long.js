// C01: more bytes than were announced, in one piece
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('fs.write', { path: '{folder}/y', create: true }, 3));
put(data_frame(1, utf8('abcd')));
stall();
