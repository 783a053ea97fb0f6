// B01: an endless loop in a getter of the result
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
return { get a() { for (;;); } };
