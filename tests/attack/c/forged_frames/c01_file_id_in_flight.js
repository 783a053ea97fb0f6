// C01: the id of a call that is under way, once more
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
for (let i = 0; i < 2; i++) send(call_text('fs.write', { path: '{folder}/y', create: true }, 0, 7));
stall();
