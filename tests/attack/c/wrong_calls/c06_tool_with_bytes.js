// C06: a tool that is sent bytes
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('tool', { server: 'demo', tool: 'echo', arguments: {} }, 3)); put(data_frame(1, utf8('abc'))); stall();
