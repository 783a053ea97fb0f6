"""Which modules code may import. Not the boundary, which is the seal: it warns agents early of what cannot work."""

import builtins
import types

BLOCKED = ("os", "sys", "subprocess", "socket", "importlib", "builtins", "ctypes", "multiprocessing")


class BlockedImport(ImportError):
    pass


BlockedImport.__name__ = BlockedImport.__qualname__ = "ImportError"
BlockedImport.__module__ = "builtins"


TOOL_MODULES = frozenset(("mcp", "glovebox"))  # what models take for the module of the tools

_STANDARD = "only Python's standard library is here"
_DATA = f"{_STANDARD}: use lists and dicts, csv, json, statistics, collections"
_WEB = f"{_STANDARD}: call a tool, mcp.<server>.<tool>(...), or use urllib.request where addresses are granted"
_INSTEAD = {
    "pandas": _DATA, "numpy": _DATA, "polars": _DATA, "scipy": _DATA, "matplotlib": f'{_STANDARD}: write SVG text, and emit("chart.svg", svg)',
    "requests": _WEB, "httpx": _WEB, "aiohttp": _WEB, "urllib3": _WEB,
    "bs4": f"{_STANDARD}: use html.parser or re", "lxml": f"{_STANDARD}: use xml.etree.ElementTree",
    "yaml": f"{_STANDARD}: use json", "dateutil": f"{_STANDARD}: use datetime",
}  # fmt: skip


def advice(error):
    """What there is instead of a module that there is not."""
    if not isinstance(error, ModuleNotFoundError) or not isinstance(error.name, str):
        return ""
    return _INSTEAD.get(error.name.partition(".")[0], f"{_STANDARD}, and `mcp` has the tools")


def builtins_without(blocked, mcp):
    """The builtins for a program: its own imports are checked, not those of the standard library. `mcp` is a global,
    and may be imported all the same."""
    blocked = frozenset(blocked)
    copied = types.ModuleType("builtins", builtins.__doc__)
    copied.__dict__.update(builtins.__dict__)
    original = builtins.__import__

    def __import__(name, globals=None, locals=None, fromlist=(), level=0):
        # What C code of the standard library imports on a program's behalf comes with a list, as no statement does.
        from_c = type(fromlist) is list
        if level == 0 and not from_c and name in TOOL_MODULES:
            return mcp
        if level == 0 and not from_c and isinstance(name, str) and name.partition(".")[0] in blocked:
            root = name.partition(".")[0]
            raise BlockedImport(f"import of '{root}' is blocked in the sandbox", name=root)
        return original(name, globals, locals, fromlist, level)

    copied.__import__ = __import__
    return copied
