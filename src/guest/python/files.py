"""Files: the words of a refusal, and what a program leaves open. The rest is files.js, below Python's own functions."""

import builtins
import functools
import io
import os
import shutil
import weakref

from . import host

_open_files = weakref.WeakSet()


class QuotaExceeded(OSError):
    limit_code = "WRITE_QUOTA"


QuotaExceeded.__name__ = QuotaExceeded.__qualname__ = "OSError"
QuotaExceeded.__module__ = "builtins"


def reworded(error):
    """The gateway's own words, if it refused what just failed; else the error itself."""
    refusal = host.bridge and host.bridge.refusal
    if not refusal:
        return error
    host.bridge.refusal = None
    kind, message = refusal.kind, refusal.message
    if kind == "denied" and isinstance(error, PermissionError):
        denied = PermissionError(message)
        denied.code = "PERMISSION_DENIED"
        return denied
    return QuotaExceeded(message) if kind == "quota" else error


def _wording(function):
    @functools.wraps(function)
    def worded(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except OSError as error:
            again = reworded(error)
            if again is error:
                raise
        raise again

    return worded


def _open(original):
    @functools.wraps(original)
    def open(*args, **kwargs):
        try:
            file = original(*args, **kwargs)
        except OSError as error:
            again = reworded(error)
            if again is error:
                raise
        else:
            _open_files.add(file)
            return file
        raise again

    return open


def _getcwd():
    try:
        return host.call("fs.cwd", {})[0]
    except host.HostError as refused:
        raise PermissionError(refused.message) from None


_FUNCTIONS = (
    "open", "stat", "lstat", "listdir", "scandir", "mkdir", "rmdir", "unlink", "remove", "rename", "replace", "readlink",
    "truncate", "access", "chmod", "utime", "symlink", "link", "chdir", "statvfs",
)  # fmt: skip


def install():
    import posix

    for name in _FUNCTIONS:
        if hasattr(os, name):
            worded = _wording(getattr(os, name))
            setattr(os, name, worded)
            setattr(posix, name, worded)
    os.getcwd = posix.getcwd = _getcwd
    os.getcwdb = posix.getcwdb = lambda: os.fsencode(_getcwd())
    builtins.open = io.open = _open(io.open)
    # Modes and times are the host's to give.
    shutil.copymode = shutil.copystat = lambda *args, **kwargs: None
    # os has gathered, by identity, which of its functions take what.
    for gathered in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids):
        gathered.clear()


def save():
    """At the end of a run."""
    for file in list(_open_files):
        if not file.closed and file.writable():
            file.flush()
    host.bridge.save_files()
