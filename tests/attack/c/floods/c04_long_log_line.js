// C04: a log line longer than a line may be
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"log","level":"log","text":"' + 'x'.repeat(65537) + '"}'); stall();
