// C01: bytes for a call that takes none
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('fs.read', { path: '{folder}/x.txt' }, 3));
put(data_frame(1, utf8('abc')));
stall();
