// C01: a result inside the bytes of a call
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('fs.write', { path: '{folder}/y', create: true }, 6));
send('{"frame":"done","result":1}');
stall();
