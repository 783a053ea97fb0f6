// B06: recursion through native functions, each with frames of its own size: an error each time, never a crash
// options: --timeout 20s --memory 1GB
// expect: {"result": {"survived": true, "silent": []}}
const deep_json = '['.repeat(1e6) + ']'.repeat(1e6);
let nested = []; for (let i = 0; i < 2e5; i++) nested = [nested];
let chain = {}; for (let i = 0; i < 1e5; i++) chain = new Proxy(chain, {});
let bound = () => {}; for (let i = 0; i < 1e5; i++) bound = bound.bind();
let rope = 'a'; for (let i = 0; i < 2e5; i++) rope = (i & 1 ? 'x' : '') + rope + 'b';
let proto = {}; for (let i = 0; i < 2e5; i++) proto = Object.create(proto);
const self = { toString() { return '' + self; }, valueOf() { return +self; }, get x() { return self.x; }, toJSON() { return JSON.stringify(self); } };
const attempts = {
  parse: () => JSON.parse(deep_json), stringify: () => JSON.stringify(nested), to_string: () => '' + self, value_of: () => +self, getter: () => self.x, to_json: () => JSON.stringify(self),
  sort: () => { const s = () => [2, 1].sort(s); s(); }, replace: () => { const r = () => 'a'.replace(/a/, r); r(); }, map: () => { const m = () => [1].map(m); m(); },
  proxy_get: () => chain.x, proxy_has: () => 'x' in chain, proxy_keys: () => Reflect.ownKeys(chain), proxy_proto: () => Object.getPrototypeOf(chain), is_array: () => Array.isArray(chain),
  bound: () => bound(), join: () => nested.join(), flat: () => nested.flat(Infinity), to_locale: () => nested.toLocaleString(), clone: () => structuredClone(nested),
  inspect: () => console.log(nested), inspect_proxy: () => console.log(chain), reviver: () => JSON.parse('{"a":1}', function r() { return JSON.parse('{"a":1}', r); }),
  spread: () => Math.max(...new Array(1e7)), apply: () => String.fromCharCode.apply(null, new Array(1e7)), reg_exp: () => new RegExp('('.repeat(1e5) + ')'.repeat(1e5)),
  evaluate: () => (0, eval)('('.repeat(1e5) + ')'.repeat(1e5)), construct: () => { class A { constructor() { new A(); } } new A(); },
  iterate: () => { const i = { [Symbol.iterator]() { return [...i]; } }; return [...i]; }, species: () => { class S extends Array { static get [Symbol.species]() { return S.of().map((x) => x), S; } } S.of(1).map((x) => x); },
  date: () => new Date(self), intl: () => new Intl.NumberFormat(self), rope: () => rope.indexOf('zz'), proto: () => proto.missing,
  async_stack: () => { const f = async () => { await f(); }; f().catch(() => {}); }, tag: () => { const t = (s) => t`x`; t(); }, instance: () => ({}) instanceof { [Symbol.hasInstance]() { return {} instanceof this; } },
};
const silent = [];
for (const [name, attempt] of Object.entries(attempts)) { try { attempt(); } catch (error) { if (!(error instanceof Error)) silent.push(name); } }
return { survived: true, silent };
