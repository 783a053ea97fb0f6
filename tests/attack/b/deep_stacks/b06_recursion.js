// B06: endless recursion is an error of the code
// expect: {"error": {"code": "STACK_LIMIT", "type": "LimitError"}}
const f = () => f() + 1;
f();
