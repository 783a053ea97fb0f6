// C02: a frame of no bytes
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
put(prefix(0)); stall();
