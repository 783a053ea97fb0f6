// A03: Promise.prototype.then and the species are replaced; awaiting and the end of the run do not ask them
// expect: {"result": "untouched"}
Promise.prototype.then = function () { return 'stolen'; };
Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('species'); } });
await new Promise((resolve) => setTimeout(resolve, 1));
return 'untouched';
