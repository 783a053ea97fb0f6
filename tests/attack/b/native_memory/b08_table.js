// B08: a table that grows
// options: --memory 64MB --timeout 10s
// expect: {"error": {"code": "MEMORY_LIMIT"}}
// or: {"error": {"code": "RUNTIME_ERROR"}}
const keep = [];
for (;;) { const table = new WebAssembly.Table({ initial: 10, element: 'externref' }); table.grow(5e6, {}); keep.push(table); }
