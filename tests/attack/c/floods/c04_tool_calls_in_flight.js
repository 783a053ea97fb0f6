// C04: more calls of tools at one time than our bridge makes
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
for (let i = 0; i < 300; i++) send(call_text('tool', { server: 'demo', tool: 'never', arguments: {} }));
stall();
