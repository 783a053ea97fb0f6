# G09: a regular expression that never ends
# options: --timeout 5s --cpu 500ms
# expect: {"error": {"code": "CPU_LIMIT"}}
import re
re.match(r"(a+)+$", "a" * 64 + "b")
