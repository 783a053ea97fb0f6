// A07: an error whose fields are getters, objects, huge strings and escapes
// expect: {"error": {"code": "RUNTIME_ERROR", "type": "RuntimeError"}}
const error = new Error('x');
Object.defineProperty(error, 'name', { get() { return 'N'.repeat(1e6); } });
Object.defineProperty(error, 'message', { get() { return '\u001b]52;c;AAAA\u0007' + 'm'.repeat(1e6); } });
Object.defineProperty(error, 'stack', { get() { return '\u202e\u001b[2J' + 's'.repeat(1e6); } });
throw error;
