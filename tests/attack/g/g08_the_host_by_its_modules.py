# G08: processes, sockets, files, the environment, threads and signals of the host
# options: --timeout 20s --python-allow-import=os,subprocess,socket,multiprocessing,sys
# expect: {"result": ["OSError", "OSError", "OSError", "PermissionError", "PermissionError", "RuntimeError", "PermissionError", "PermissionError"]}
import os, posix, subprocess, socket, multiprocessing, threading
def system():
    if os.system("id") != 0: raise OSError
told = []
for attempt in (lambda: subprocess.check_output("id", shell=True), system, lambda: socket.create_connection(("127.0.0.1", 80)),
                lambda: open("/etc/passwd"), lambda: os.listdir("/"), lambda: threading.Thread(target=print).start(),
                lambda: list(os.environ.items()), lambda: os.environ[context["canary"]["env"]]):
    try:
        attempt()
        told.append("done")
    except Exception as error:
        told.append("OSError" if type(error).__name__ in ("OSError", "NotImplementedError", "AttributeError") else type(error).__name__)
# What lies below is the guest's own.
for values in (os.environ._data, posix.environ):
    told += [value.decode() for value in values.values() if b"canary" in value.lower()]
told
