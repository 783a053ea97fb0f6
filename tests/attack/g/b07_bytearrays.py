# B07: WebAssembly's memory grows beyond the limit
# options: --timeout 10s --memory 64MB
# expect: {"error": {"type": "MemoryError", "code": "MEMORY_LIMIT"}}
parts = []
while True: parts.append(bytearray(1 << 20))
