// B09: padStart and repeat to the longest string, flattened
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
for (;;) { const s = 'x'.padStart(2 ** 28) + 'xy'.repeat(2 ** 26); s.indexOf('z'); keep.push(s); }
