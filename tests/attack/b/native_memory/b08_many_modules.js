// B08: small modules without end: each takes memory and machine code, and what runs out first is an error
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT"}}
// or: {"error": {"code": "RUNTIME_ERROR"}}
const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 6, 1, 4, 0, 16, 0, 11);
const keep = [];
for (;;) keep.push(new WebAssembly.Instance(new WebAssembly.Module(bytes)));
