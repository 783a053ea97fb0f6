// B02: microtasks that make microtasks
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const again = () => Promise.resolve().then(again);
again();
await new Promise(() => {});
