// C01: a sleep until a text
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"call","id":1,"op":"sleep","args":{"until":"now"}}'); stall();
