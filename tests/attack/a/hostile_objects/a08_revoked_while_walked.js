// A08: a proxy that revokes itself while it is read
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/revoked/"}}
const { proxy, revoke } = Proxy.revocable({ a: 1, b: 2 }, { get(target, key) { if (key === 'a') revoke(); return target[key]; } });
return { proxy };
