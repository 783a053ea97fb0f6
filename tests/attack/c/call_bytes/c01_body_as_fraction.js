// C01: two and a half bytes
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"fs.write","args":{"path":"{folder}/y","create":true},"body":2.5}');
put(data_frame(1, utf8('abc')));
stall();
