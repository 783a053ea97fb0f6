# G07: a pickle that calls what it likes is code like any other
# options: --timeout 20s
# expect: {"error": {"message": "PermissionError: Requires read access to \"/etc/passwd\""}}
import pickle
pickle.loads(b"cbuiltins\nopen\n(S'/etc/passwd'\ntR.")
