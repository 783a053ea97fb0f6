// B10: matches with many captures, and many compiled expressions
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
const pattern = new RegExp('(a)'.repeat(1000));
const text = 'a'.repeat(1000);
for (let i = 0; ; i++) keep.push(pattern.exec(text), new RegExp('(?<n' + i + '>x){1,100}').exec('x'));
