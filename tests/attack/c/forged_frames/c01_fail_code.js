// C01: an error code that is not a word
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"fail","type":"RuntimeError","code":"a b\\u001b","message":"m","stack":""}'); stall();
