// B07: slice, transfer and typed array copies
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
const view = new Float64Array(2 ** 17).fill(1);
for (;;) keep.push(view.slice(), view.toSorted(), Array.from(view), view.buffer.slice(0));
