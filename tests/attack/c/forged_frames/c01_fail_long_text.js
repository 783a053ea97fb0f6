// C01: an error text beyond its limit
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"fail","type":"RuntimeError","code":"X","message":"' + 'm'.repeat(20000) + '","stack":""}'); stall();
