# G10: whatever a run leaves, the next one does not find
# options: --timeout 20s --python-allow-import=sys,os,builtins
# expect: {"result": false}
import sys, os, builtins, json
found = hasattr(json, "left_behind") or hasattr(builtins, "left_behind") or os.path.exists("/lib/python3.14/site-packages/left.py") or b"left" in os.environ._data
json.left_behind = builtins.left_behind = True
os.environ["left"] = "1"
open("/lib/python3.14/site-packages/left.py", "w").write("x = 1")
open("/lib/python3.14/sitecustomize.py", "w").write("raise SystemExit")
found
