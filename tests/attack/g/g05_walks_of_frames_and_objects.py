# G05: frames, the collector and subclasses show objects of the guest alone
# options: --timeout 20s --python-allow-import=sys
# expect: {"result": "no canary"}
import sys, gc
seen = []
frame = sys._getframe()
while frame:
    seen.append(repr(frame.f_locals)[:100000] + repr(sorted(frame.f_globals))[:100000])
    frame = frame.f_back
try:
    None.missing
except AttributeError as error:
    tb = error.__traceback__
    while tb:
        seen.append(repr(tb.tb_frame.f_globals.keys())); tb = tb.tb_next
for value in gc.get_objects():
    if type(value) is dict: seen.extend(v for v in list(value.values())[:50] if type(v) is str)
classes = [c.__name__ for c in object.__subclasses__()]
text = "\n".join(seen)
for line in text.splitlines()[:2000]:
    if "canary-" in line: print(line)
"{0.__class__.__mro__[1].__subclasses__}".format("")
"no canary"
