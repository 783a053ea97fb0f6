# G09: a power that no memory holds
# options: --timeout 5s --cpu 1s
# expect: {"error": {"type": "TimeoutError"}}
# or: {"error": {"type": "MemoryError"}}
10 ** 10 ** 8
