// A03: what guests do to the language does not reach between a call and its tool
// options: --tools demo --timeout 5s
// expect: {"result": {"n": 1}, "trace": [{"target": "demo.echo", "arguments": "{\"n\":1}"}]}
for (const name of ['server', 'tool', 'name', 'json', 'arguments', 'tool_name', 'resolve', 'reject', 'value', 'code']) {
  Object.defineProperty(Object.prototype, name, { __proto__: null, get() { return 'polluted'; }, set() { throw new Error('asked'); }, configurable: true });
}
Promise.prototype.then = Array.prototype.push = JSON.stringify = JSON.parse = Map.prototype.get = Reflect.ownKeys = () => { throw new Error('asked'); };
Array.prototype[Symbol.iterator] = () => { throw new Error('asked'); };
return await demo.echo({ n: 1 });
