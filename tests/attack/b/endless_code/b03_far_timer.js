// B03: a timer beyond the limit
// options: --timeout 200ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
await new Promise((resolve) => setTimeout(resolve, 1e9));
