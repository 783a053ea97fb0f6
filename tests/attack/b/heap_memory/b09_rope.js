// B09: ropes that are flattened one after the other
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
for (let i = 0; ; i++) { let rope = 'r' + i; while (rope.length < 2 ** 24) rope += rope; rope.indexOf('z'); keep.push(rope); }
