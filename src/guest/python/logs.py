"""What is printed, as log lines."""

import io
import sys

from . import host

MAX_LINE_BYTES = 64 * 1024


class _Lines(io.RawIOBase):
    def __init__(self, level):
        self._level = level
        self._rest = b""
        self.muted = False

    def writable(self):
        return True

    def write(self, data):
        data = bytes(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._send(line)
        # A line without an end is no reason to keep all of it.
        if len(self._rest) > MAX_LINE_BYTES:
            self.finish()
        return len(data)

    def finish(self):
        if self._rest:
            line, self._rest = self._rest, b""
            self._send(line)

    def _send(self, line):
        if self.muted:
            return
        text = line.decode("utf-8", "replace")
        if len(line) > MAX_LINE_BYTES:
            kept = line[: MAX_LINE_BYTES - 64].decode("utf-8", "ignore")
            text = f"{kept}... [{len(text) - len(kept)} more characters]"
        host.bridge.send_log(self._level, text)


_raw = {}


def renew():
    """Fresh streams, made by the zygote for the next run."""
    for name, level in (("stdout", "log"), ("stderr", "error")):
        raw = _raw[name] = _Lines(level)
        buffered = io.BufferedWriter(raw)
        stream = io.TextIOWrapper(buffered, "utf-8", "backslashreplace", "\n", line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def begin(muted):
    for raw in _raw.values():
        raw.muted = muted


def end():
    for name, raw in _raw.items():
        try:
            getattr(sys, f"__{name}__").flush()
        except Exception:  # a program may have closed or replaced it
            pass
        raw.finish()
