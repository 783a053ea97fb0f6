// C01: a sleep until the end of numbers: the wall clock comes first
// guest: probe
// with: frames.js
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
send('{"frame":"call","id":1,"op":"sleep","args":{"until":1.7976931348623157e308}}'); stall();
