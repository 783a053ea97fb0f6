// B09: templates, replaceAll and split
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
const part = 'ab'.repeat(2 ** 18);
for (let i = 0; ; i++) keep.push(`${part}${i}${part}`.replaceAll('a', 'aaaa').split(''));
