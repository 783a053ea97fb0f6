// C01: a guest that speaks of what only the gateway can know
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"fail","type":"TimeoutError","code":"EXECUTION_TIMEOUT","message":"m","stack":""}'); stall();
