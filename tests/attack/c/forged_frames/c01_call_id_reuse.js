// C01: a call id that comes twice
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
for (let i = 0; i < 2; i++) send('{"frame":"call","id":5,"op":"sleep","args":{"until":1e15}}'); stall();
