// B10: small objects without end
// options: --memory 64MB --timeout 10s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const a = [];
for (let i = 0; ; i++) a.push({ i, text: 'n' + i });
