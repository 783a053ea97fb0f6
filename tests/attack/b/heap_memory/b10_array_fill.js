// B10: Array(2**32-1).fill()
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const a = new Array(2 ** 32 - 1);
a.fill(0);
