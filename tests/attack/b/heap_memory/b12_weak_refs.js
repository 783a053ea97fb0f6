// B12: WeakRefs, each kept alive until the end of its turn
// options: --timeout 1s --memory 128MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
// or: {"error": {"code": "MEMORY_LIMIT"}}
const refs = [];
for (let i = 0; ; i++) { refs[i % 1000] = new WeakRef({ i, data: new Array(10) }); refs[(i * 7) % 1000]?.deref(); if (i % 100 === 0) await null; }
