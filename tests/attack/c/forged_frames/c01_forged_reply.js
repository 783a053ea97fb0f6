// C01: a forged reply
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"reply","id":1,"ok":true,"value":1,"now":0}'); stall();
