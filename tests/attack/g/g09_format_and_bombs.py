# G09: a width of a format, and a zip that unfolds without end
# options: --timeout 10s --memory 64MB
# expect: {"error": {"type": "MemoryError", "code": "MEMORY_LIMIT"}}
import zlib
data = zlib.compress(b"\0" * (10 << 20))
parts = []
while True: parts.append(zlib.decompress(data))
