// C04: calls that are answered at once, and read, as fast as it goes: only this run's time is spent
// guest: probe
// with: frames.js
// options: --timeout 1s
// gateway-peak: 16MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
for (let id = 1; ; id++) { send('{"frame":"call","id":' + id + ',"op":"sleep","args":{"until":0}}'); take(); }
