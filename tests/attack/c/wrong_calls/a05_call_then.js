// A05: a call to something that does not exist is not looked up in an object
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"then","args":{"until":0,"name":"__proto__"}}'); stall();
