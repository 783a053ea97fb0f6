// C02: more arguments than a call may have
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('tool', { server: 'demo', tool: 'echo', arguments: { text: 'x'.repeat(10_000_000) } })); stall();
