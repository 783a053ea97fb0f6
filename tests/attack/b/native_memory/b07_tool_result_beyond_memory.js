// B07: a tool's result that does not fit into the run's memory
// options: --tools demo --memory 64MB --timeout 10s
// gateway-peak: 128MB
// expect: {"error": {"code": "MEMORY_LIMIT"}}
const kept = [];
for (;;) kept.push(await demo.big({ bytes: 30_000_000 }));
