// B01: a loop that the optimising compiler keeps improving
// options: --timeout 5s --cpu 500ms
// expect: {"error": {"code": "CPU_LIMIT", "type": "TimeoutError"}}
let x = 0;
const f = (a) => { for (let i = 0; i < 1e9; i++) x = (x + a * i) | 0; return x; };
for (;;) f(x);
