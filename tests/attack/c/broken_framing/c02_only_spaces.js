// C02: a frame of spaces
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(' '.repeat(1000)); stall();
