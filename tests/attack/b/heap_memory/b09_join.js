// B09: join of many long strings
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
const part = 'abcdefgh'.repeat(2 ** 17);
for (;;) keep.push(new Array(100).fill(part).join(keep.length));
