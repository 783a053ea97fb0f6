// A08: valueOf, toString and Symbol.toPrimitive that throw, recurse or lie, given to every function that converts
// options: --timeout 2s
// expect: {"result": {"survived": true}}
const hostile = [
  { [Symbol.toPrimitive]() { throw new Error('no'); } },
  { toString() { return this; }, valueOf() { return this; } },
  { toString() { return String(this); } },
  { valueOf() { return 1e400; } },
  new Proxy({}, { get() { throw new Error('no'); } }),
  new Proxy(function () {}, { get() { return () => Symbol('x'); } }),
  Symbol('s'), 10n ** 100n, Object.create(null), null, undefined, -0, NaN,
];
for (const value of hostile) {
  for (const call of [() => setTimeout(() => {}, value), () => clearTimeout(value), () => new URL(value), () => atob(value), () => btoa(value),
    () => console.log(value), () => console.log('%d %s %i %f %j %o', value, value, value, value, value, value), () => console.table(value), () => require(value),
    () => Deno.readTextFileSync(value), () => Deno.env.get(value), () => new Headers(value), () => new TextDecoder(value),
    () => new TextEncoder().encode(value), () => structuredClone(value), () => crypto.getRandomValues(value), () => new Blob([value]),
    () => new Response(value), () => new Request(value), () => new URLSearchParams(value), () => new AbortController().abort(value)]) {
    try { call(); } catch { /* refused */ }
  }
  for (const call of [() => import(value), () => fetch(value), () => Deno.readFile(value), () => crypto.subtle.digest(value, new Uint8Array())]) {
    try { await call(); } catch { /* refused */ }
  }
}
return { survived: true };
