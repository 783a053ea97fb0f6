# G09: lists and texts by multiplication
# options: --timeout 10s --memory 64MB
# expect: {"error": {"type": "MemoryError", "code": "MEMORY_LIMIT"}}
a = [0] * (10 ** 8)
