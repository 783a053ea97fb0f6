// B02: microtasks that make microtasks
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
// or: {"error": {"code": "MEMORY_LIMIT"}}
// Each promise waits for the next, so all stay alive: where the clock is checked late, the memory is used up first.
const again = () => Promise.resolve().then(again);
again();
await new Promise(() => {});
