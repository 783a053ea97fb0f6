// B05: a slow pattern in replaceAll, split and matchAll
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const text = ('a'.repeat(40) + '!').repeat(1000);
text.split(/(a+)+$/); text.replaceAll(/(a+)+$/g, ''); [...text.matchAll(/(a+)+$/g)];
