// C02: two values in one frame
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done","result":1}{"frame":"done","result":2}'); stall();
