// C04: contents of files that are never read: the gateway holds a few pieces of them and not one for each call
// guest: probe
// with: frames.js
// with: calls.js
// files: large (bytes 262144)
// gateway-peak: 16MB
// vfs: direct
// options: --allow-read={folder} --timeout 1s
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
call('fs.read', { path: '{folder}/large' });
for (let i = 0; i < 250; i++) send(call_text('fs.read', { path: '{folder}/large' }));
for (;;);
