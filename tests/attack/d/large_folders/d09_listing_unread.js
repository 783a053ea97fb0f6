// D09: listings of 20,000 entries that are asked for 200 times and never read: the gateway does not make them all
// guest: probe
// with: frames.js
// with: calls.js
// files: many (many 20000 200)
// vfs: direct
// gateway-peak: 32MB
// options: --allow-read={folder} --timeout 2s
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
for (let i = 0; i < 200; i++) send(call_text('fs.readDir', { path: '{folder}/many' }));
for (;;);
