// B08: a memory with 64-bit addresses
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT"}}
// or: {"error": {"code": "RUNTIME_ERROR"}}
const memory = new WebAssembly.Memory({ initial: 2n ** 17n, maximum: 2n ** 18n, address: 'i64' });
const view = new Uint8Array(memory.buffer);
for (let i = 0; i < view.length; i += 4096) view[i] = 1;
