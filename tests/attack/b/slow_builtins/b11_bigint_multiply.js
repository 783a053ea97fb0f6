// B11: multiplication of long BigInts cannot be interrupted by a flag; it is by a signal
// options: --timeout 500ms --memory 128MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
// or: {"error": {"code": "MEMORY_LIMIT"}}
// The product grows with each round: where the clock is checked late, there is no memory for it in the end.
let x = 3n ** 2000000n;
for (;;) x = (x * x) >> 3000000n;
