// A08: toJSON that nests without end
// expect: {"error": {"code": "RESULT_TOO_LARGE"}}
const nest = () => ({ toJSON: () => ({ inner: nest() }) });
return nest();
