// A04: the functions that a careless bridge would call are gone or lie; result and logs come out right
// expect: {"result": {"list": [1, 2, 3], "text": "é\u0000"}, "logs": ["{ a: [ 1, 'b' ] }", "7"]}
const lie = () => { throw new Error('the bridge called guest code'); };
JSON.stringify = JSON.parse = lie;
globalThis.TextEncoder = globalThis.TextDecoder = lie;
globalThis.Map = globalThis.Set = globalThis.WeakMap = lie;
for (const key of Reflect.ownKeys(Reflect)) { try { Reflect[key] = lie; } catch { /* not writable */ } }
for (const name of ['push', 'pop', 'shift', 'map', 'join', 'slice', 'forEach', 'includes', 'indexOf', 'concat', 'splice']) Array.prototype[name] = lie;
for (const name of ['slice', 'replace', 'split', 'indexOf', 'charCodeAt', 'repeat', 'padEnd', 'includes', 'startsWith']) String.prototype[name] = lie;
Function.prototype.call = Function.prototype.apply = Function.prototype.bind = lie;
Object.keys = Object.entries = Object.defineProperty = Object.getOwnPropertyDescriptor = lie;
Symbol.for = lie;
Array.prototype[Symbol.iterator] = lie;
globalThis.Error = globalThis.Array = globalThis.String = globalThis.Promise = lie;
console.log({ a: [1, 'b'] });
console.log(7);
return { list: [1, 2, 3], text: '\u00e9\0' };
