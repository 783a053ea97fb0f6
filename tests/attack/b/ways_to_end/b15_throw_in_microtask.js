// B15: throw in a microtask
// expect: {"error": {"code": "UNHANDLED_REJECTION", "message": "micro"}}
queueMicrotask(() => { throw new Error('micro'); });
await null;
await null;
return 1;
