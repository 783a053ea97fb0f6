// C03: arguments that mean one thing to one reader and another to the next
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"tool","args":{"server":"demo","tool":"echo","arguments":{"a":{"b":1,"\\u0062":2}}}}'); stall();
