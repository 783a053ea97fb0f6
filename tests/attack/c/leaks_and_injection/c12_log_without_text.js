// C12: a log line that is not text
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"log","level":"log","text":{"toString":1}}'); stall();
