// C01: one id for two calls of tools
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('tool', { server: 'demo', tool: 'never', arguments: {} }, 0, 7));
send(call_text('tool', { server: 'demo', tool: 'echo', arguments: {} }, 0, 7)); stall();
