// B10: generators that hang in the middle, and their frames
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
function* g(a) { const b = new Array(50).fill(a); yield b; yield a; }
for (;;) { const i = g(keep); i.next(); keep.push(i); }
