// C01: an error at an impossible place
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"fail","type":"RuntimeError","code":"X","message":"m","stack":"","line":-5,"column":1}'); stall();
