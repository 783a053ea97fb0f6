// C13: an operation of the family that does not exist
// guest: probe
// with: frames.js
// with: calls.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('emit.all', { name: 'a' }));
stall();
