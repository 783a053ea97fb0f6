# G11: no package can be installed
# options: --timeout 20s
# expect: {"result": ["ImportError", "ImportError", "failed"]}
told = []
for name in ("micropip", "pip"):
    try: __import__(name)
    except ImportError as error: told.append("ImportError")
import pyodide_js
try:
    await pyodide_js.loadPackage("numpy")
    import numpy
    told.append("loaded")
except BaseException: told.append("failed")
told
