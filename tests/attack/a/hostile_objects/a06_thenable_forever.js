// A06: a result whose then resolves with itself, without end
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
const endless = { then(resolve) { resolve(endless); } };
return endless;
