// B01: an endless loop inside of a native function: a comparison that never settles the sort
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
for (;;) Array.from({ length: 1e5 }, (_, i) => i).sort(() => 0.5 - Math.random());
