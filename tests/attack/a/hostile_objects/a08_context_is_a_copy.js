// A08: whatever happens to context stays in this guest
// expect: {"result": {"port": "number", "replaced": 1}}
const port = typeof context.canary.port;
Object.defineProperty(context, 'canary', { get() { for (;;); } });
globalThis.context = 1;
return { port, replaced: context };
