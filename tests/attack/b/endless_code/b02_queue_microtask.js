// B02: queueMicrotask without end
// options: --timeout 5s --cpu 200ms
// expect: {"error": {"code": "CPU_LIMIT", "type": "TimeoutError"}}
const again = () => queueMicrotask(again);
again();
await new Promise(() => {});
