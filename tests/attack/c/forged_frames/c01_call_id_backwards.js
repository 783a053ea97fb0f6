// C01: call ids that go backwards
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
for (const id of [9, 8]) send('{"frame":"call","id":' + id + ',"op":"sleep","args":{"until":1e15}}'); stall();
