// C03: arguments nested deeper than any reader must bear
// guest: probe
// with: frames.js
// with: calls.js
// options: --tools demo --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"tool","args":{"server":"demo","tool":"echo","arguments":{"a":' + '['.repeat(200) + ']'.repeat(200) + '}}}'); stall();
