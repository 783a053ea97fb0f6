// C01: a call id that is none
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(`{"frame":"call","id":99999999999999999999999,"op":"sleep","args":{"until":0}}`); stall();
