// A09: a proxy for an array that claims to be as long as numbers go
// options: --timeout 3s
// expect: {"error": {"code": "RESULT_TOO_LARGE"}}
// or: {"error": {"code": "RUNTIME_ERROR"}}
// or: {"result": {"list": {}}}
return { list: new Proxy([], { get: (target, key) => (key === 'length' ? Number.MAX_SAFE_INTEGER : key === 'toJSON' ? undefined : 0) }) };
