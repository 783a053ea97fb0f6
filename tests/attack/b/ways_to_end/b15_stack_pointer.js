// B15: the native stack is used up from outside of JavaScript
// guest: probe
// expect: {"error": {"code": "STACK_LIMIT"}}
// or: {"error": {"code": "GUEST_CRASHED"}}
const big = new Array(1e5).fill(0);
const f = (...rest) => f(...rest, ...big);
f();
