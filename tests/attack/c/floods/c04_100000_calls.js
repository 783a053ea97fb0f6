// C04: 10^5 calls outstanding
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
for (let i = 1; i <= 1e5; i++) if (send('{"frame":"call","id":' + i + ',"op":"sleep","args":{"until":1e15}}') < 0) break;
stall();
