# G07: code objects that no compiler made crash the guest alone
# options: --timeout 20s
# expect: {"error": {"type": "SandboxError"}}
# or: {"error": {"type": "RuntimeError"}}
# or: {"error": {"type": "TimeoutError"}}
# or: {"error": {"type": "MemoryError"}}
# or: {"error": {"type": "LimitError"}}
# or: {"result": "lives"}
import types
def f(): pass
for byte in range(0, 256):
    code = f.__code__.replace(co_code=bytes([byte, 255] * 8), co_stacksize=0)
    try: types.FunctionType(code, {})()
    except Exception: pass
"lives"
