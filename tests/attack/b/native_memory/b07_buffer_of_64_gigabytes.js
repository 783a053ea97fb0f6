// B07: one ArrayBuffer of 64 GiB
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
new ArrayBuffer(2 ** 36);
