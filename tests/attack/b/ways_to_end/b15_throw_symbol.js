// B15: throw a symbol
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/Symbol/"}}
throw Symbol('x');
