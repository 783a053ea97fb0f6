// B04: 9000 intervals of no length
// options: --timeout 400ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
for (let i = 0; i < 9000; i++) setInterval(() => {}, 0);
await new Promise(() => {});
