// C01: more bytes announced than a number holds
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"fs.write","args":{"path":"{folder}/y","create":true},"body":9007199254740993}');
stall();
