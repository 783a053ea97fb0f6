# D01: paths that mean something else
# options: --timeout 20s --allow-read={folder}
# files: a.txt = text
# expect: {"result": []}
import pathlib
found = []
for path in ("{folder}/../outside/canary.txt", "{outside}/canary.txt", "{folder}/./../../etc/passwd", "/proc/self/environ", "/lib/python3.14/../../etc/passwd",
             "/dev/../etc/passwd", "/proc/self/fd/../environ", "/lib/python314.zip/../../etc/passwd", "{folder}//..//..//etc/passwd"):
    for opener in (lambda: open(path).read(), lambda: pathlib.Path(path).read_text(), lambda: [p.name for p in pathlib.Path(path).parent.iterdir()]):
        try: found.append([path, str(opener())[:40]])
        except OSError: pass
[f for f in found if "lib/python" not in f[0] and "/dev" not in f[0] and "proc" not in f[0]]
