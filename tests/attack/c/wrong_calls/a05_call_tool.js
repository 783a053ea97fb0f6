// A05: a tool without a server, and with fields that it does not have
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"tool","args":{"until":0,"name":"__proto__"}}'); stall();
