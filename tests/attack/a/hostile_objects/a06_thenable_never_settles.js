// A06: a result whose then never calls back
// options: --timeout 200ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
return { then() {} };
