# G03: Pyodide's own insides have no capability of the host
# options: --timeout 20s
# expect: {"result": []}
import pyodide_js
found = []
api, module = pyodide_js._api, pyodide_js._module
for attempt in (lambda: module.FS.readFile("/etc/passwd"), lambda: module.FS.filesystems.NODEFS.mount,
                lambda: module.FS.mount(module.FS.filesystems.NODEFS, {"root": "/"}, "/lib/python3.14/mnt"),
                lambda: api.loadBinaryFile("/etc/passwd"), lambda: api.loadBinaryFile("http://127.0.0.1/")):
    try:
        got = attempt()
        if "root:" in str(bytes(got) if hasattr(got, "to_py") else got): found.append(str(got))
    except BaseException: pass
found
