// C04: a log level that does not exist
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"log","level":"fatal","text":"x"}'); stall();
