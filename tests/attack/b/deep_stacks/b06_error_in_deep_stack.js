// B06: at the very end of the stack, what the end of a run needs: an error with a long stack, thrown from a finally
// expect: {"error": {"code": "STACK_LIMIT"}}
Error.stackTraceLimit = 50;
const f = (depth) => { try { f(depth + 1); } finally { new Error('x' + depth).stack.length; } };
f(0);
