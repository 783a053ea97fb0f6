// B10: unhandled rejections: the engine keeps a list of them
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
for (;;) keep.push(Promise.reject(new Error('x')));
