"""os.environ: what the program has set itself, and what the host grants. The standard library, which reads a dozen
variables that are never granted, finds only its own."""

import os
import sys

from . import host

_LIBRARY = os.path.dirname(os.__file__)


def _is_for_library():
    """Whether the nearest code outside of os and the classes of mappings is the standard library's."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") in ("os", "_collections_abc", "collections.abc", __name__):
        frame = frame.f_back
    return frame is None or frame.f_code.co_filename.startswith((_LIBRARY, "<frozen"))


def _ask(op, arguments):
    try:
        return host.call(op, arguments)[0]
    except host.HostError as failure:
        if failure.name != "PermissionDenied":
            raise ValueError(failure.message) from None
        denied = PermissionError(failure.message)
        denied.code = "PERMISSION_DENIED"
    raise denied


class _Environ(type(os.environ)):
    def __init__(self, original):
        super().__init__(dict(original._data), original.encodekey, original.decodekey, original.encodevalue, original.decodevalue)
        # The language of messages, for which there are no files: nothing is asked for on its account.
        self._data.pop(self.encodekey("LANG"), None)
        self._changed = {}  # name: value, or None when the program has removed it

    def _name(self, key):
        return self.decodekey(self.encodekey(key))

    def __getitem__(self, key):
        name = self._name(key)
        if name in self._changed or _is_for_library():
            return super().__getitem__(key)
        value = _ask("env.get", {"name": name})
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self._changed[self._name(key)] = value

    def __delitem__(self, key):
        name = self._name(key)
        if name in self._changed or _is_for_library():
            super().__delitem__(key)
        elif _ask("env.get", {"name": name}) is None:
            raise KeyError(key)
        self._data.pop(self.encodekey(key), None)
        self._changed[name] = None

    def _all(self):
        merged = _ask("env.all", {})
        merged.update(self._changed)
        return {name: value for name, value in merged.items() if value is not None}

    def __iter__(self):
        return super().__iter__() if _is_for_library() else iter(self._all())

    def __len__(self):
        return super().__len__() if _is_for_library() else len(self._all())

    def __repr__(self):
        return f"environ({', '.join(self._changed)})"


def install():
    os.environ = _Environ(os.environ)
