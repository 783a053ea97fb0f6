// B07: there is no SharedArrayBuffer and no Atomics. A shared WebAssembly.Memory still has a buffer of that kind, which
// counts as memory and, without a second thread to write to it, is no clock.
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT"}}
if (typeof SharedArrayBuffer !== 'undefined' || typeof Atomics !== 'undefined') return 'offered';
const keep = [];
for (;;) { const memory = new WebAssembly.Memory({ initial: 16, maximum: 32, shared: true }); new Uint8Array(memory.buffer).fill(1); keep.push(memory); }
