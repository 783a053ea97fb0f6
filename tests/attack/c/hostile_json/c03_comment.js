// C03: a comment and a trailing comma
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done",/* x */"result":1,}'); stall();
