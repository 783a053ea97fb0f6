// A03: get, set, value and writable on Object.prototype turn every careless property descriptor into another
// expect: {"result": {"sum": 3, "timer": "fired", "url": "https://a.b/c"}, "logs": ["{ x: 1 }"]}
Object.prototype.get = () => 'polluted';
Object.prototype.set = () => {};
Object.prototype.value = 'polluted';
Object.prototype.writable = false;
Object.prototype.enumerable = false;
const url = new URL('https://a.b/c').href;
const timer = await new Promise((resolve) => setTimeout(() => resolve('fired'), 1));
console.log({ x: 1 });
return { sum: 1 + 2, timer, url };
