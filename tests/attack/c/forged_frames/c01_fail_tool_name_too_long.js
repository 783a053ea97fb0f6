// C01: a tool's name of a megabyte
// guest: probe
// with: frames.js
// options: --timeout 3s
// expect: {"error": {"code": "PROTOCOL_VIOLATION"}}
send(JSON.stringify({ frame: 'fail', type: 'ToolError', code: 'X', message: 'm', stack: '', toolName: 'x'.repeat(1026) })); stall();
