"""Modules from the owner's wheels. Nothing of them is asked for before an import finds nothing else."""

import importlib
import sys

from . import host

FOLDER = "/lib/python3.14/wheels"  # Pyodide's own, inside the guest


class _Finder:
    """Last of all finders: brings the wheels, then lets the others search again."""

    def __init__(self):
        self._asked = False

    def find_spec(self, name, path=None, target=None):
        if self._asked or "." in name:
            return None
        self._asked = True
        for path in _bring():
            sys.path.append(path)
        importlib.invalidate_caches()
        return importlib.machinery.PathFinder.find_spec(name)


def _bring():
    import os

    try:
        names, _ = host.call("python.wheels", {})
        os.makedirs(FOLDER, exist_ok=True)
        for name in names:
            _, data = host.call("python.wheel", {"name": name})
            path = f"{FOLDER}/{name}"
            with open(path, "wb") as file:
                file.write(data or b"")
            yield path
    except host.HostError as failure:
        raise ImportError(failure.message) from None


def begin():
    sys.meta_path.append(_Finder())
