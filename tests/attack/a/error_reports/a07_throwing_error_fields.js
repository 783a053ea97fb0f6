// A07: an error whose fields throw when they are read
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/./"}}
const error = {};
for (const key of ['name', 'message', 'stack', 'code', 'toString', 'toJSON', 'cause']) Object.defineProperty(error, key, { get() { throw error; } });
throw error;
