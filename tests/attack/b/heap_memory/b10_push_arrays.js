// B10: push(new Array(1000).fill()), which isolated-vm 7 does not survive
// options: --memory 32MB --timeout 10s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const a = [];
for (;;) a.push(new Array(1000).fill());
