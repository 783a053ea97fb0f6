// C01: a frame of a kind that does not exist
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"exec","cmd":"id"}'); stall();
