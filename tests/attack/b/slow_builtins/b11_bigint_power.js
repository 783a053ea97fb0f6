// B11: a power whose digits would fill the machine
// options: --timeout 500ms --memory 64MB
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/BigInt/"}}
// or: {"error": {"code": "EXECUTION_TIMEOUT"}}
// or: {"error": {"code": "MEMORY_LIMIT"}}
return String(2n ** 10n ** 9n).length;
