// B09: a string that doubles
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
let s = 'x';
for (;;) { s += s; [...s.slice(0, 1)]; JSON.stringify(s); }
