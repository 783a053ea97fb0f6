// A08: getters, proxies and toJSON as arguments run as code of the guest, once, and what they give is checked like anything
// options: --tools demo --timeout 5s
// expect: {"result": ["{\"a\":1}", "thrown", "{\"b\":2}", "TypeError", "TypeError", "TypeError", "TypeError", "{}", "TypeError", "TypeError"]}
const outcome = async (args) => {
  try { return JSON.stringify(await demo.echo(args)); } catch (error) { return typeof error === 'string' ? error : error.name; }
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const cyclic = {};
cyclic.self = cyclic;
let deep = {};
for (let i = 0; i < 1000; i++) deep = { deep };
return [
  await outcome({ get a() { return 1; } }),
  await outcome({ get a() { throw 'thrown'; } }),
  await outcome({ toJSON() { return { b: 2 }; } }),
  await outcome({ toJSON() { return [1]; } }),
  await outcome(revoked.proxy),
  await outcome(cyclic),
  await outcome(deep),
  await outcome(new Proxy({}, {})),
  await outcome({ text: 'x'.repeat(2 * 1024 * 1024) }),
  await outcome({ a: new Proxy({}, { ownKeys() { throw new TypeError('keys'); } }) }),
];
