// A11: a stack that overflows inside a function of the prelude throws an error of the guest's realm (a classic of vm2)
// options: --timeout 4s
// expect: {"result": {"foreign": 0, "thrown": true}}
let foreign = 0;
let thrown = 0;
const calls = [() => console.log({ a: [1] }), () => new URL('https://a.b/c'), () => Deno.readTextFileSync('/x'), () => structuredClone({ a: 1 }),
  () => setTimeout(() => {}, 1), () => atob('AAAA'), () => new Headers({ a: 'b' }), () => require('x'), () => process.env, () => new Error('x').stack];
for (const call of calls) {
  const recurse = () => {
    try { recurse(); } catch { /* unwinding */ }
    try { call(); } catch (error) {
      thrown++;
      try { if (error.constructor.constructor('return globalThis')() !== globalThis) foreign++; } catch { /* overflowed again */ }
    }
  };
  let depth = 0;
  const descend = () => { depth++; descend(); };
  try { descend(); } catch { /* measured */ }
  const near = (left) => { if (left > 0) near(left - 1); else call(); };
  for (let spare = 0; spare < 60; spare++) {
    try { near(depth - spare); } catch (error) {
      thrown++;
      try { if (error.constructor.constructor('return globalThis')() !== globalThis) foreign++; } catch { /* overflowed again */ }
    }
  }
}
return { foreign, thrown: thrown > 0 };
