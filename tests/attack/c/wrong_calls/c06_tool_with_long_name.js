// C06: names longer than any tool has
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('tool', { server: 'demo', tool: 'x'.repeat(513), arguments: {} })); stall();
