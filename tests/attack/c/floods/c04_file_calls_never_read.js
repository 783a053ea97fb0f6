// C04: file calls without end whose answers are never read
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// gateway-peak: 24MB
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 5s
// expect: {"error": {"code": "PROTOCOL_VIOLATION", "message": "/too many calls at once/"}}
for (;;) if (send(call_text('fs.stat', { path: '{folder}/x.txt' })) < 0) stall();
