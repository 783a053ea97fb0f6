// A11: Array.fromAsync with a constructor and iterator of the guest's own
// expect: {"result": {"realm": true}}
let realm = true;
const check = (value) => { if (Object(value) === value && value.constructor?.constructor('return globalThis')() !== globalThis) realm = false; };
function Collector() { return new Proxy({}, { defineProperty(target, key, descriptor) { check(descriptor); return Reflect.defineProperty(target, key, descriptor); }, set() { return true; } }); }
await Array.fromAsync.call(Collector, { async *[Symbol.asyncIterator]() { yield 1; yield {}; } });
return { realm };
