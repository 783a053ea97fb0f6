// C03: a result just deeper than a frame may be
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done","result":' + '['.repeat(140) + ']'.repeat(140) + '}'); stall();
