// A11: species, iterators and subclassed builtins in the hands of prelude functions
// options: --timeout 3s
// expect: {"result": {"foreign": 0, "survived": true}}
let foreign = 0;
const check = (value) => { try { if (Object(value) === value && value.constructor.constructor('return globalThis')() !== globalThis) foreign++; } catch { /* nothing to walk */ } };
class Thief extends Array { static get [Symbol.species]() { return function (...rest) { rest.forEach(check); return new Proxy([], { set(target, key, value) { check(value); target[key] = value; return true; } }); }; } }
class ByteThief extends Uint8Array { static get [Symbol.species]() { return class extends Uint8Array { constructor(...rest) { super(...rest); rest.forEach(check); } }; } }
class PromiseThief extends Promise { static get [Symbol.species]() { return function (executor) { check(executor); executor(check, check); return new Promise(() => {}); }; } }
const iterable = { [Symbol.iterator]() { return { next() { return { get done() { return true; }, get value() { return check; } }; }, return(value) { check(value); return {}; } }; } };
for (const call of [() => new Headers(Thief.from([['a', 'b']])), () => new URLSearchParams(Thief.from([['a', 'b']])), () => new Blob(Thief.of('x')),
  () => new TextDecoder().decode(new ByteThief(4)), () => crypto.getRandomValues(new ByteThief(8)), () => structuredClone(new ByteThief(4)),
  () => structuredClone(Thief.of(1, 2)), () => console.log(Thief.of(1, 2), new ByteThief(3)), () => new Headers(iterable), () => new Blob(iterable),
  () => console.table(Thief.of([1], [2])), () => new URLSearchParams(iterable), () => new Response(new ByteThief(3))]) {
  try { check(call()); } catch { /* refused */ }
}
PromiseThief.resolve(1).then(check);
try { await Array.fromAsync(iterable); } catch { /* refused */ }
return { foreign, survived: true };
