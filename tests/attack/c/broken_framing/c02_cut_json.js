// C02: JSON that stops in the middle
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done","result":[1,2'); stall();
