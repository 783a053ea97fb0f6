// B15: throw a proxy that throws
// expect: {"error": {"code": "RUNTIME_ERROR"}}
throw new Proxy({}, new Proxy({}, { get() { throw 1; } }));
