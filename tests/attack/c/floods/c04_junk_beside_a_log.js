// C04: a log frame with 15 MB of junk beside its text, then silence: what reading it took must not stay
// guest: probe
// with: frames.js
// options: --timeout 2s --memory 512MB
// gateway-peak: 64MB
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
// or: {"error": {"code": "FRAME_TOO_LARGE"}}
send('{"frame":"log","level":"log","text":"x","junk":[' + '0,'.repeat(7.5e6) + '0]}');
stall();
