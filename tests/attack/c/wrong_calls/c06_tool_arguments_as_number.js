// C06: a tool whose arguments are a number
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"tool","args":{"server":"demo","tool":"echo","arguments":1}}'); stall();
