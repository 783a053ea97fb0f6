// C03: a key that comes twice means two things to two readers
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done","result":1,"result":2}'); stall();
