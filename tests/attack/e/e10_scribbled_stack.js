// E10: the stack is memory outside of the data limit; it is small
// guest: probe
// options: --memory 64MB --timeout 3s
// expect: {"error": {"code": "STACK_LIMIT"}}
// or: {"error": {"code": "GUEST_CRASHED"}}
const f = (a, b, c, d, e) => f([a], b, c, d, e) + 1;
f();
