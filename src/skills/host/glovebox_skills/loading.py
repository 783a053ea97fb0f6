"""The files of a folder and what is in them. A file that cannot be imported costs its own skills only."""

import importlib
import importlib.util
import inspect
import os
import re
import stat
import sys
import threading
import time
import traceback

from . import methods

MOST_FILE_BYTES = 1 << 20
MOST_FILES = 500
MOST_CLASSES = 100  # of one file
MOST_WATCHED = 5000

_PATIENCE = 5.0  # with one file, before the next is begun beside it
_PATIENCE_IN_ALL = 20.0  # with all of them, before what is there is offered
_MOST_TIME = 60.0  # for one import; then it is interrupted

_CLASS_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,58}Skill\Z|Skill\Z")


def snapshot(folder):
    """What the folder's Python files look like from outside, at any depth: helpers are imported, too."""
    seen = {}
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        for name in files:
            if not name.endswith(".py"):
                continue
            path = os.path.join(where, name)
            try:
                found = os.stat(path)
            except OSError:
                continue
            seen[path] = (found.st_ino, found.st_size, found.st_mtime_ns)
            if len(seen) >= MOST_WATCHED:
                return seen
    return seen


class ImportTooLong(BaseException):
    """Raised in the midst of an import that does not end."""


class Generation:
    """Everything that the folder offers at one time. Late files are added while it is in use."""

    def __init__(self):
        self.lock = threading.Lock()
        self.tools = {}  # Class.method: Method
        self.problems = {}  # what it is about: what is wrong
        self.files = {}  # class: file

    def listing(self):
        with self.lock:
            return [self.tools[name].definition for name in sorted(self.tools)]

    def reported_problems(self):
        with self.lock:
            return [f"{about}: {what}" for about, what in sorted(self.problems.items())]

    def find(self, name):
        with self.lock:
            return self.tools.get(name)


def load(folder, progress, changed):
    """A new Generation. `changed` is called when a slow file has come late."""
    generation = Generation()
    try:
        names = sorted(name for name in os.listdir(folder)
                       if name.endswith(".py") and not name.startswith((".", "_")))
    except OSError as error:
        generation.problems["skills"] = f"the folder cannot be read: {error.strerror}"
        return generation
    if len(names) > MOST_FILES:
        generation.problems["skills"] = f"there are more than {MOST_FILES} files; the others are left out"
        del names[MOST_FILES:]
    _forget_modules(folder)
    end = time.monotonic() + _PATIENCE_IN_ALL
    for name in names:
        path = os.path.join(folder, name)
        why = progress.refused.get(name) or _why_not(path)
        if why:
            generation.problems[name] = why
            continue
        generation.problems[name] = "it is still being imported"
        is_late = threading.Event()
        is_done = threading.Event()
        thread = threading.Thread(
            target=_load_file, args=(folder, path, name, generation, progress, is_done, is_late, changed), daemon=True)
        progress.begin(name)
        thread.start()
        if not is_done.wait(min(_PATIENCE, max(0.2, end - time.monotonic()))):
            is_late.set()
            _interrupt_later(thread, is_done)
    return generation


def _why_not(path):
    try:
        found = os.stat(path)
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if not stat.S_ISREG(found.st_mode):
        return "it is no file"
    return "it is larger than a megabyte" if found.st_size > MOST_FILE_BYTES else None


def _forget_modules(folder):
    """Modules of the folder are imported again; calls under way keep those that they have."""
    importlib.invalidate_caches()
    inside = folder + os.sep
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and os.path.abspath(path).startswith(inside):
            sys.modules.pop(name, None)


def _interrupt_later(thread, is_done):
    def interrupt():
        if not is_done.wait(_MOST_TIME):
            import ctypes

            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(ImportTooLong))

    threading.Thread(target=interrupt, daemon=True).start()


def _load_file(folder, path, name, generation, progress, is_done, is_late, changed):
    try:
        found, problems = _import(folder, path, name)
    except BaseException as error:  # also SystemExit: a file is untrusted until it has been imported
        traceback.print_exc()
        found, problems = {}, {name: "its import did not end in time" if isinstance(error, ImportTooLong)
                               else _import_error(error)}
    with generation.lock:
        del generation.problems[name]
        for kind, tools in found.items():
            if kind in generation.files:
                problems[f"{name} {kind}"] = f"{generation.files[kind]} has a class of that name"
                continue
            generation.files[kind] = name
            generation.tools.update((method.definition["name"], method) for method in tools.values())
        generation.problems.update(problems)
    progress.end(name)
    is_done.set()
    if is_late.is_set():
        changed()


def _import_error(error):
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"
    # Where in the file, but not where the file is.
    return f"{type(error).__name__}: {error}"[:500]


def _import(folder, path, name):
    # Not under its own name: skills/json.py is no reason for others to get it as json.
    module_name = "glovebox_skill_" + name[:-3]
    spec = importlib.util.spec_from_file_location(module_name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(module_name, None)
        raise
    inside = folder + os.sep

    def is_ours(kind):
        path = getattr(sys.modules.get(kind.__module__), "__file__", None)
        return isinstance(path, str) and os.path.abspath(path).startswith(inside)

    found, problems = {}, {}
    for kind in list(vars(module).values()):
        if not inspect.isclass(kind) or kind.__module__ != module_name or not kind.__name__.endswith("Skill"):
            continue
        if kind.__name__.startswith("_") or inspect.isabstract(kind) or kind.__name__ in found:
            continue
        if not _CLASS_NAME.match(kind.__name__):
            problems[f"{name} {kind.__name__[:100]}"] = "a skill's name has letters, digits and _, at most 64 of them"
            continue
        if len(found) == MOST_CLASSES:
            problems[name] = f"it has more than {MOST_CLASSES} skills; the others are left out"
            break
        found[kind.__name__], remarks = methods.methods_of(kind, is_ours)
        for i, text in enumerate(remarks):
            problems[f"{name} ({i + 1})" if i else name] = text
    return found, problems
