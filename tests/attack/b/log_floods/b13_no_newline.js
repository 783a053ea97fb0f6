// B13: lines that never end: groups, tables and format strings that repeat their arguments
// options: --timeout 20s
// gateway-peak: 24MB
// expect: {"result": "printed"}
for (let i = 0; i < 1e5; i++) console.group('g');
const part = 'z'.repeat(1 << 20);
console.log('%s%s%s%s%o%j', part, part, part, part, [part], [part]);
console.table(new Array(10000).fill(new Array(100).fill(part)));
console.log(new Array(1e6).fill(part));
console.log(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [part + i, part])));
return 'printed';
