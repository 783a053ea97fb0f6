// B10: rejections that are neither handled nor kept, except for the list of rejections itself
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
for (;;) Promise.reject({});
