// B03: a promise that nothing settles
// options: --timeout 200ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
await new Promise(() => {});
