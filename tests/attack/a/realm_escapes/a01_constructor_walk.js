// A01: constructor.constructor('return globalThis')() from everything that was not made by the guest
// expect: {"result": {"foreign": [], "walked": true}}
const start = [console, console.log, setTimeout, context, Deno, Deno.readFile, Deno.errors.PermissionDenied, fetch, require,
  URL, new URL('https://a.b/'), Headers, new Headers(), performance, crypto, TextEncoder, structuredClone,
  Promise.resolve(), new Error('x'), (async () => {}), function* () {}, async function* () {}, WebAssembly, Intl];
const foreign = [];
let walked = 0;
const seen = new Set();
const walk = async (value, path, depth) => {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return;
  seen.add(value);
  walked++;
  let made;
  try {
    made = value.constructor.constructor('return globalThis')();
    if (made?.next) made = made.next();  // a generator: its value is what was returned
    if (typeof made?.then === 'function') made = await made;
    if (made?.done) made = made.value;
    if (made !== globalThis) foreign.push(path);
  } catch { /* no constructor: nothing to walk */ }
  if (depth === 0) return;
  await walk(Object.getPrototypeOf(value), path + '.__proto__', depth - 1);
  for (const key of Reflect.ownKeys(value)) {
    let next;
    try { next = value[key]; } catch { continue; }
    await walk(next, path + '.' + String(key), depth - 1);
  }
};
for (let i = 0; i < start.length; i++) await walk(start[i], '#' + i, 3);
return { foreign, walked: walked > 200 };
