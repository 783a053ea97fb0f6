// B10: rejections that nobody handles or keeps, except for the list of rejections itself
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
for (;;) Promise.reject({});
