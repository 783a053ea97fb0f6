# G04: addresses of WebAssembly's memory are written to with ctypes: the guest harms itself alone
# options: --timeout 20s --python-allow-import=ctypes
# expect: {"error": {"type": "SandboxError"}}
# or: {"error": {"type": "RuntimeError"}}
# or: {"error": {"type": "MemoryError"}}
# or: {"error": {"type": "LimitError"}}
# or: {"result": "lives"}
# or: {"error": {"type": "TimeoutError"}}
import ctypes
for address in range(1024, 4 << 20, 64):
    ctypes.memset(address, 0x41, 64)
"lives"
