// C01: a call inside another's bytes
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('fs.write', { path: '{folder}/y', create: true }, 6));
put(data_frame(1, utf8('abc')));
send(call_text('fs.stat', { path: '{folder}/x.txt' }));
stall();
