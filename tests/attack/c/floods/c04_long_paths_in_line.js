// C04: paths of a megabyte that wait in line behind a read whose answer is never taken
// guest: probe
// with: frames.js
// with: calls.js
// files: large (bytes 20000000)
// gateway-peak: 24MB
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 1500ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
send(call_text('fs.read', { path: '{folder}/large' }));
const path = '{folder}/' + 'n'.repeat(1000000);
for (let i = 0; i < 250; i++) send(call_text('fs.copy', { path: '{folder}/large', to: path }));
for (;;);
