// B12: the collector's time counts as CPU time
// options: --timeout 10s --cpu 500ms --memory 64MB
// expect: {"error": {"code": "CPU_LIMIT", "type": "TimeoutError"}}
// or: {"error": {"code": "MEMORY_LIMIT"}}
let list = null;
for (let i = 0; ; i++) { list = { next: list, data: new Array(50) }; if (i % 20000 === 0) list = null; }
