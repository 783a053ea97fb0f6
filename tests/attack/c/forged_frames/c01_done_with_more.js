// C01: a result with fields beside it
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send('{"frame":"done","result":1,"metrics":{"cpuTimeMs":0},"degraded":[]}'); stall();
