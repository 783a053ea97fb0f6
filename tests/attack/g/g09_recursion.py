# G09: recursion in Python, in C and in the compiler
# options: --timeout 20s --python-allow-import=sys
# expect: {"error": {"type": "LimitError", "code": "STACK_LIMIT"}}
# or: {"error": {"type": "SandboxError"}}
# or: {"error": {"type": "MemoryError"}}
# or: {"error": {"type": "RuntimeError"}}
import sys, json
sys.setrecursionlimit(10 ** 9)
for text in ("(" * 10 ** 5, "-" * 10 ** 6 + "1", "[" * 10 ** 5 + "]" * 10 ** 5):
    try: compile(text, "x", "eval")
    except (SyntaxError, MemoryError, RecursionError): pass
a = []
for _ in range(10 ** 5): a = [a]
try: json.dumps(a)
except RecursionError: pass
try: repr(a)
except RecursionError: pass
def f(): return f()
f()
