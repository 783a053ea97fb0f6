// C03: half a character as an escape
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done","result":"\\ud800"}'); stall();
