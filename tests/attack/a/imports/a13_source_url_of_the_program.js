// A13: the program gives itself another name; its error must still be readable and typed
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "boom"}}
throw new Error('boom');
//# sourceURL=file:///etc/passwd
