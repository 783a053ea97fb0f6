// C03: numbers that are not JSON
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done","result":[01, +1, .5, NaN]}'); stall();
