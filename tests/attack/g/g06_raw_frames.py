# G06: calls that no bridge makes, with natives that the guest holds
# options: --timeout 20s --python-allow-import=sys
# expect: {"error": {"type": "SandboxError", "code": "PROTOCOL_VIOLATION"}}
import sys
bridge = sys.modules["glovebox_guest.host"].bridge
bridge.call("fs.read", '{"path":"/etc/passwd"}}{"x":', None)
bridge.wait_for(1)
