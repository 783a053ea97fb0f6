// A11: host errors seen through WebAssembly: JSTag, JSPI, imported prelude functions (vm2's CVE-2026-47210)
// options: --timeout 3s
// expect: {"result": {"foreign": []}}
const foreign = [];
const check = (value, label) => { try { if (Object(value) === value && value.constructor.constructor('return globalThis')() !== globalThis) foreign.push(label); } catch { /* nothing */ } };
// (module (import "m" "f" (func)) (func (export "run") call 0))
const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 109, 1, 102, 0, 0, 3, 2, 1, 0, 7, 7, 1, 3, 114, 117, 110, 0, 1, 10, 6, 1, 4, 0, 16, 0, 11);
const module = new WebAssembly.Module(bytes);
const imports = { atob, require, setTimeout, log: console.log, clone: structuredClone, read: Deno.readTextFileSync, random: crypto.getRandomValues };
for (const [name, f] of Object.entries(imports)) {
  try { new WebAssembly.Instance(module, { m: { f } }).exports.run(); } catch (error) { check(error, name); }
}
if (WebAssembly.promising) {
  for (const [name, f] of Object.entries({ fetch, readFile: Deno.readFile, import: () => import('x') })) {
    try {
      const instance = new WebAssembly.Instance(module, { m: { f: new WebAssembly.Suspending(f) } });
      await WebAssembly.promising(instance.exports.run)();
    } catch (error) { check(error, 'suspending ' + name); }
  }
}
if (WebAssembly.JSTag) check(WebAssembly.JSTag, 'JSTag');
return { foreign };
