// A07: SuppressedError chains, as `using` builds them
// expect: {"error": {"code": "RUNTIME_ERROR", "type": "RuntimeError"}}
let error = new Error('first');
for (let i = 0; i < 1e4; i++) error = new SuppressedError(new Error('next'), error, 'suppressed');
throw error;
