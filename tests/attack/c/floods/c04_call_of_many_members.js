// C04: a call with 80000 fields that mean nothing: the gateway compares none with all others
// guest: probe
// with: frames.js
// with: calls.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
let junk = '';
for (let i = 100000; i < 180000; i++) junk += ',"' + i + '":0';
send('{"frame":"call","id":1,"op":"sleep","args":{"until":1}' + junk + '}');
stall();
