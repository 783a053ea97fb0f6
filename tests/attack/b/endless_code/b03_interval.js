// B03: an interval that keeps the run alive
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
setInterval(() => {}, 1);
await new Promise(() => {});
