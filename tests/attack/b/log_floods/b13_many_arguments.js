// B13: 1 GiB as one line of many arguments
// options: --timeout 20s
// gateway-peak: 24MB
// expect: {"result": "printed"}
const part = 'y'.repeat(1 << 20);
console.log(...new Array(1024).fill(part));
return 'printed';
