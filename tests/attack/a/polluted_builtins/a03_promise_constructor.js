// A03: with another constructor on every promise, `await` asks the replaced then, by the language's rules: only this run hangs
// options: --timeout 200ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
Promise.prototype.then = function () { return 'stolen'; };
Promise.prototype.constructor = class Stolen { constructor() { throw new Error('species'); } };
await new Promise((resolve) => setTimeout(resolve, 1));
return 'untouched';
