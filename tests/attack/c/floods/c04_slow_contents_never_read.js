// C04: the same with files that are larger than a piece
// guest: probe
// with: frames.js
// with: calls.js
// files: large (bytes 20000000)
// gateway-peak: 16MB
// vfs: direct
// options: --allow-read={folder} --timeout 1s
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
for (let i = 0; i < 250; i++) send(call_text('fs.read', { path: '{folder}/large' }));
for (;;);
