// B09: base64, URI escapes, upper case and normal forms of a long string
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
// or: {"error": {"code": "RUNTIME_ERROR", "message": "/Icu error/"}}
const keep = [];
const part = '\u0390'.repeat(2 ** 19);
for (let i = 0; ; i++) keep.push((part + i).toUpperCase(), (i + part).normalize('NFD'), encodeURIComponent(part + i), btoa('x'.repeat(2 ** 20) + i));
