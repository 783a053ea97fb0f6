// B15: throw undefined
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/undefined/"}}
throw undefined;
