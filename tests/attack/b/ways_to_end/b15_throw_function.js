// B15: throw a function, a bound one and a class
// expect: {"error": {"code": "RUNTIME_ERROR"}}
throw class extends null {};
