// C06: an operation beside the one that there is
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('tool.echo', { server: 'demo', tool: 'echo', arguments: {} })); stall();
