// A04: a setter on an index of Array.prototype would see the elements of a list that the bridge builds
// expect: {"result": {"stolen": [], "fired": 2}, "logs": ["1 2 3"]}
const stolen = [];
for (let i = 0; i < 10; i++) {
  Object.defineProperty(Array.prototype, i, { configurable: true, get() { return 'planted'; }, set(value) { Object.defineProperty(stolen, stolen.length, { value: typeof value, enumerable: true }); } });
}
console.log(1, 2, 3);
let fired = 0;
setTimeout(() => fired++, 1);
setTimeout(() => fired++, 2);
await new Promise((resolve) => setTimeout(resolve, 3));
for (let i = 0; i < 10; i++) delete Array.prototype[i];
return { stolen, fired };
