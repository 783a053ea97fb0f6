// B08: 10^4 memories of one page: each reserves gigabytes of address space
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT"}}
// or: {"error": {"code": "RUNTIME_ERROR"}}
const keep = [];
for (let i = 0; i < 1e4; i++) { const memory = new WebAssembly.Memory({ initial: 1 }); new Uint8Array(memory.buffer).fill(1); keep.push(memory); }
return keep.length;
