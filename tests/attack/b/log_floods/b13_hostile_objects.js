// B13: printing objects that fight back: nothing of theirs is called, and nothing throws
// options: --timeout 5s --memory 512MB
// expect: {"result": {"called": 0}}
let called = 0;
const count = () => { called++; throw new Error('called'); };
const trap = new Proxy({}, new Proxy({}, { get: () => count }));
const self = { name: 'self' }; self.self = self;
let deep = {}; for (let i = 0; i < 1e5; i++) deep = { deep };
const wide = {}; for (let i = 0; i < 1e5; i++) wide['k' + i] = i;
const tagged = { get [Symbol.toStringTag]() { return count(); }, get constructor() { return count(); }, toString: count, inspect: count, [Symbol.for('nodejs.util.inspect.custom')]: count };
const getter = Object.defineProperty({}, 'x', { enumerable: true, get: count });
for (const value of [trap, self, deep, wide, tagged, getter, new Array(2 ** 32 - 1), new Set([trap]), new Map([[trap, trap]]), Object.create(trap), new Error('x', { cause: trap }),
  new Uint8Array(1e6), 'x'.repeat(1e6), 10n ** 10000n, function () {}, class extends Array {}, Promise.reject(trap).catch(() => {}), new WeakRef({}), new Proxy(() => {}, {})]) {
  for (const method of ['log', 'error', 'table', 'dir', 'group', 'groupEnd', 'trace', 'assert', 'count', 'time', 'timeLog', 'timeEnd']) console[method](value);
}
return { called };
