// A09: a result with 10^7 keys: the memory or the size ends it, whichever comes first
// options: --timeout 20s --memory 256MB
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
// or: {"error": {"code": "RESULT_TOO_LARGE"}}
const result = {};
for (let i = 0; i < 1e7; i++) result['k' + i] = i;
return result;
