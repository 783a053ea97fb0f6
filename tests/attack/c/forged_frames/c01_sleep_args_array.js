// C01: arguments that are a list
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"sleep","args":[0]}'); stall();
