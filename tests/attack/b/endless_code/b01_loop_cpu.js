// B01: an empty endless loop ends by its CPU time
// options: --timeout 5s --cpu 200ms
// expect: {"error": {"code": "CPU_LIMIT", "type": "TimeoutError"}}
for (;;);
