# G01: the modules that lead from Python to the engine are inert: nothing of the host is behind them
# options: --timeout 20s
# expect: {"result": "nothing"}
import js, pyodide_js, _pyodide, pyodide.code, pyodide.ffi
found = []
for name in ("Deno", "process", "require", "fetch", "WebSocket", "XMLHttpRequest", "Worker", "importScripts", "navigator", "read", "load", "readbuffer"):
    if hasattr(js, name): found.append(name)
for name in ("node:fs", "file:///etc/passwd", "data:text/javascript,1"):
    pyodide.code.run_js(f"import('{name}').then(() => {{ globalThis.imported = '{name}' }}, () => {{}}); 0")
if hasattr(js, "imported"): found.append(js.imported)
try:
    import micropip
    found.append("micropip")
except ImportError: pass
found or "nothing"
