// A02: every constructor of functions, and eval, make code of the guest's own realm
// expect: {"result": {"realms": [true, true, true, true, true, true, true], "escaped": []}}
const AsyncFunction = (async () => {}).constructor;
const GeneratorFunction = (function* () {}).constructor;
const AsyncGeneratorFunction = (async function* () {}).constructor;
const attempt = (make) => { try { return make(); } catch { return globalThis; } };
const made = [
  attempt(() => Function('return globalThis')()),
  await attempt(() => AsyncFunction('return globalThis')()),
  attempt(() => GeneratorFunction('yield globalThis')().next().value),
  (await attempt(() => AsyncGeneratorFunction('yield globalThis')().next())).value ?? globalThis,
  attempt(() => eval('globalThis')),
  attempt(() => (0, eval)('this')),
  attempt(() => Reflect.construct(Function, ['return globalThis'], class {})()),
];
// Names that exist where code runs outside a sandbox.
const escaped = ['host', 'primordials', 'internalBinding', 'module', '__filename', 'global', 'd8', 'std', 'os', 'load', 'quit']
  .filter((name) => attempt(() => (0, eval)('typeof ' + name)) !== 'undefined' && attempt(() => (0, eval)('typeof ' + name)) !== globalThis);
return { realms: made.map((realm) => realm === globalThis), escaped };
