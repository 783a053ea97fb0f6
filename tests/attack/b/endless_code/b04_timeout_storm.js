// B04: each timer sets the next, at once
// options: --timeout 400ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const again = () => setTimeout(again, 0);
again();
await new Promise(() => {});
