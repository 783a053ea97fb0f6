// C04: failures that name a megabyte, and that are never read
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// gateway-peak: 32MB
// vfs: direct
// options: --allow-read={folder} --allow-env=X_* --timeout 1500ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
const name = 'n'.repeat(1000000);
for (let i = 0; i < 250; i++) send(call_text('env.get', { name: 'X_=' + name }));
for (;;);
