// C01: a frame without a kind
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"result":1}'); stall();
