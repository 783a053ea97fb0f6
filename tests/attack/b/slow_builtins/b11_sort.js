// B11: a sort of 10^7 elements
// options: --timeout 500ms --memory 512MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const a = new Float64Array(1e7).map(() => Math.random());
for (;;) { a.sort(); a.reverse(); Array.from(a.subarray(0, 1e5)).sort(); }
