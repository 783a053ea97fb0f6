// B15: throw in a timer
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "late"}}
setTimeout(() => { throw new Error('late'); }, 1);
await new Promise(() => {});
