// B09: symbols of the registry and property names, which are long-lived
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = {};
for (let i = 0; ; i++) { Symbol.for('symbol number ' + i); keep['a rather long property name ' + i] = i; }
