// C01: a piece without bytes
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('fs.write', { path: '{folder}/y', create: true }, 3));
put(data_frame(1, new Uint8Array(0)));
stall();
