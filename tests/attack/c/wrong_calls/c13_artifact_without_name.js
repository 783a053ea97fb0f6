// C13: an artifact whose name is no text
// guest: probe
// with: frames.js
// with: calls.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('emit', { name: ['a'] }));
stall();
