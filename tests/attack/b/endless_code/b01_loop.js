// B01: an empty endless loop ends by the wall clock
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
while (true);
