# G04: the whole of WebAssembly's memory is overwritten from JavaScript
# options: --timeout 20s
# expect: {"error": {"type": "SandboxError"}}
# or: {"error": {"type": "RuntimeError"}}
# or: {"error": {"type": "MemoryError"}}
# or: {"error": {"type": "TimeoutError"}}
# or: {"error": {"type": "LimitError"}}
import pyodide_js
pyodide_js._module.HEAP8.fill(0x41)
"unreachable"
