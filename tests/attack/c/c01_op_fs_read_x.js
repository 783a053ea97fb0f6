// C01: an operation that does not exist
// guest: probe
// with: frames.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --allow-env=* --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"fs.read.x","args":{"path":"{folder}/x.txt","name":"x","to":"{folder}/y","mode":511}}'); stall();
