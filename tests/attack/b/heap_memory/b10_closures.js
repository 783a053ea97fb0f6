// B10: closures, classes and functions made at run time
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
for (let i = 0; ; i++) keep.push(new Function('return ' + i), class { a = i; }, () => i);
