// B11: array methods over a claimed length of 2^53 - 1
// options: --timeout 500ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
Array.prototype.indexOf.call({ length: Number.MAX_SAFE_INTEGER }, 1);
Array.prototype.includes.call({ length: Number.MAX_SAFE_INTEGER }, 1);
