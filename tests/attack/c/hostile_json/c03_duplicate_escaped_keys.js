// C03: the same key, once written with an escape
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done","result":{"a":1,"\\u0061":2}}'); stall();
