// A06: awaiting what was not made to be awaited neither hangs nor calls anything
// expect: {"result": {"awaited": 8, "thenCalls": 1}}
let awaited = 0;
for (const value of [console, Deno, process, context, URL, performance, crypto, globalThis]) { await value; awaited++; }
let thenCalls = 0;
const resolved = await { then(resolve) { thenCalls++; resolve('x'); } };
return { awaited, thenCalls };
