// B01: an endless loop in a timer, after the program has returned control
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
setTimeout(() => { for (;;); }, 1);
await new Promise(() => {});
