// A08: a revoked proxy as result
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/revoked/"}}
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
return [proxy];
