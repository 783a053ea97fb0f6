// B13: one line of half a gigabyte, the longest string there is
// options: --timeout 20s --memory 64MB
// gateway-peak: 24MB
// expect: {"result": "printed", "logs": ["/^x+... .[0-9]+ more characters.$/"]}
// or: {"error": {"code": "MEMORY_LIMIT"}}
console.log('x'.repeat(2 ** 29 - 100));
return 'printed';
