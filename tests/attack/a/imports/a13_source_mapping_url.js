// A13: sourceMappingURL and sourceURL fetch nothing, and a borrowed name does not make a frame look like ours
// expect: {"result": {"ok": true, "named": false}}
const f = (0, eval)('(function f() { return new Error("x").stack; })\n//# sourceURL=glovebox' + ':prelude/00_primordials.js');
const g = (0, eval)('(function g() { return 1; })\n//# sourceMappingURL=file:///etc/passwd');
return { ok: g() === 1, named: f().includes('primordials') };
//# sourceMappingURL=http://127.0.0.1/x.map
