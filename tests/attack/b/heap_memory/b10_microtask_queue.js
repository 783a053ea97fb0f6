// B10: the queue of microtasks grows while none runs
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
for (;;) queueMicrotask(() => {});
