// B15: throw null
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/null/"}}
throw null;
