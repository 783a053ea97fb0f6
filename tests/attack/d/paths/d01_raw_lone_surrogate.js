// D01: a path with half a character, as an escape
// guest: probe
// with: frames.js
// files: spare.txt = spare
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"fs.write","args":{"path":"{folder}/\\ud800","create":true}}'); stall();
