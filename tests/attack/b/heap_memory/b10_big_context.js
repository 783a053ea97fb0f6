// B10: copies of the context and of intl objects
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
for (;;) keep.push(structuredClone(context), new Intl.NumberFormat('de'), new URL('https://a.b/c?d=e'), new Headers({ a: 'b' }));
