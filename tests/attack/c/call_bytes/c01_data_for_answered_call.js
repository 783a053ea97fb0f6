// C01: bytes for a call that is answered
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
call('fs.stat', { path: '{folder}/x.txt' });
put(data_frame(1, utf8('abc')));
stall();
