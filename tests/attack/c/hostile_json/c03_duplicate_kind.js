// C03: two kinds in one frame
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"log","frame":"done","result":2}'); stall();
