// F07: a hundred endless responses and bombs that are never read
// gateway-peak: 40MB
// options: --allow-net=good.test --timeout 1500ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
const all = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => fetch('http://good.test/' + (i % 2 ? 'huge' : 'bomb'))));
globalThis.kept = all;
await new Promise(() => {});
