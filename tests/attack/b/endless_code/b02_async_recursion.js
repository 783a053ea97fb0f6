// B02: an async loop that awaits nothing
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
while (true) await null;
