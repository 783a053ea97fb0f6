// A08: a result whose every trap throws
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/trap/"}}
const trap = () => { throw new Error('trap'); };
return { inner: new Proxy({}, new Proxy({}, { get: () => trap })) };
