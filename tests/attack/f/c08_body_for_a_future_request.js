// C08: a piece of a body for a request that does not exist yet
// guest: probe
// with: frames.js
// with: calls.js
// options: --allow-net=good.test --timeout 5s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(call_text('net.send', { fetch: 9, last: true })); stall();
