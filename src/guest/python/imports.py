"""Which modules code may import. Not the boundary, which is the seal: it tells agents early what cannot work here."""

import builtins
import types

BLOCKED = ("os", "sys", "subprocess", "socket", "importlib", "builtins", "ctypes", "multiprocessing")


class BlockedImport(ImportError):
    pass


BlockedImport.__name__ = BlockedImport.__qualname__ = "ImportError"
BlockedImport.__module__ = "builtins"


def builtins_without(blocked):
    """The builtins for a program: its own imports are looked at, those of the standard library are not."""
    blocked = frozenset(blocked)
    copied = types.ModuleType("builtins", builtins.__doc__)
    copied.__dict__.update(builtins.__dict__)
    original = builtins.__import__

    def __import__(name, globals=None, locals=None, fromlist=(), level=0):
        # What C code of the standard library imports on a program's behalf comes with a list, as no statement does.
        from_c = type(fromlist) is list
        if level == 0 and not from_c and isinstance(name, str) and name.partition(".")[0] in blocked:
            root = name.partition(".")[0]
            raise BlockedImport(f"import of '{root}' is blocked in the sandbox", name=root)
        return original(name, globals, locals, fromlist, level)

    copied.__import__ = __import__
    return copied
