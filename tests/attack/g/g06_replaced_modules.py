# G06: json, the bridge, import hooks and builtins are replaced: frames stay frames
# options: --timeout 20s --python-allow-import=sys,builtins --tools demo
# expect: {"error": {"type": "SandboxError", "code": "PROTOCOL_VIOLATION"}}
# or: {"result": "fine"}
# or: {"error": {"type": "RuntimeError"}}
import json, sys, builtins
json.dumps = lambda *a, **k: '{"a":1,"a":2}'
json.encoder.encode_basestring = None
sys.meta_path.insert(0, type("F", (), {"find_spec": staticmethod(lambda *a: None)}))
sys.modules["json"] = None
builtins.len = lambda x: 0
sys.modules["glovebox_guest.host"].bridge.send_log("log", "x" * 100)
mcp.demo.echo(a=1)
"fine"
