// A07: an error that calls itself by a limit's name does not become that limit
// expect: {"error": {"type": "RuntimeError", "code": "RUNTIME_ERROR"}}
const error = new Error('the code used more CPU time than its limit');
error.name = 'TimeoutError';
error.type = 'TimeoutError';
error.code = 'EXECUTION_TIMEOUT';
throw error;
