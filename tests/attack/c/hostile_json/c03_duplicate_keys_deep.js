// C03: a key that comes twice deep inside of a result
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done","result":[{"a":{"b":1,"c":2,"b":3}}]}'); stall();
