// C01: a guest that speaks of what only the gateway can know
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"fail","type":"__proto__","code":"X","message":"m","stack":""}'); stall();
