// C01: a guest that speaks of what only the gateway can know
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"fail","type":"SandboxError","code":"FORBIDDEN_SYSTEM_CALL","message":"m","stack":""}'); stall();
