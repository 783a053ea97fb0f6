# G06: calls made on the bridge directly have no more rights
# options: --timeout 20s --python-allow-import=sys
# expect: {"result": ["PermissionDenied", "PermissionDenied", "PermissionDenied", "PermissionDenied"]}
import sys, json
bridge = sys.modules["glovebox_guest.host"].bridge
told = []
for op, args in (("fs.read", {"path": "/etc/passwd"}), ("env.all", {}), ("run", {"command": "ls", "args": [], "env": [], "clearEnv": False, "stdout": "piped", "stderr": "piped"}),
                 ("net.fetch", {"method": "GET", "url": "http://127.0.0.1/", "headers": [], "redirect": "follow", "body": "none"})):
    reply = bridge.wait_for(bridge.call(op, json.dumps(args), None))
    told.append(json.loads(reply[2])["name"])
told
