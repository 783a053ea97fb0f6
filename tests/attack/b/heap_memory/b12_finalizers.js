// B12: objects that are resurrected in their finalizers
// options: --timeout 1s --memory 64MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
// or: {"error": {"code": "MEMORY_LIMIT"}}
const alive = new Set();
const registry = new FinalizationRegistry((held) => { alive.add(held); spawn(); alive.delete(held); });
const spawn = () => { const o = { o: new Array(1000) }; registry.register(o, new WeakRef(o)); };
for (;;) { for (let i = 0; i < 100; i++) spawn(); await new Promise((resolve) => setTimeout(resolve, 0)); }
