// C01: bytes without a call
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
put(data_frame(1, utf8('abc')));
stall();
