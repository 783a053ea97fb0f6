// C03: a result 10^5 levels deep
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done","result":' + '['.repeat(1e5) + ']'.repeat(1e5) + '}'); stall();
