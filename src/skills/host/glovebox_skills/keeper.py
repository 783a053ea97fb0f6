"""Two processes: one that loads and runs skills, and one that knows at which file the first ended.

A file whose import ends the process (os._exit, a crash in a C library) would end it at every start, and all other
skills with it. The worker therefore says which file it imports. If it ends before it is ready, another one is started
that leaves that file out. Later ends are passed on: the gateway starts us again.
"""

import faulthandler
import os
import resource
import select
import signal


class Progress:
    """What the worker tells its keeper."""

    def __init__(self, pipe, refused):
        self._pipe = pipe
        self.refused = refused  # name of a file: why it is left out

    def begin(self, name):
        self._tell("begin", name)

    def end(self, name):
        self._tell("end", name)

    def ready(self):
        self._tell("ready", "")
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            os.close(pipe)

    def _tell(self, word, name):
        if self._pipe is not None:
            os.write(self._pipe, f"{word} {name}".encode("utf-8", "surrogateescape") + b"\0")


def keep_worker():
    """Returns in the worker, with its Progress; never in the keeper."""
    refused = {}
    while True:
        reading, writing = os.pipe()
        worker = os.fork()
        if worker == 0:
            os.close(reading)
            return Progress(writing, dict(refused))
        os.close(writing)
        is_ready, loading = _follow(worker, reading)
        os.close(reading)
        _, status = os.waitpid(worker, 0)
        if is_ready or not loading:
            _end_like(status)
        refused[loading[-1]] = "its import ends the process (" + _how(status) + ")"


def _follow(worker, reading):
    """Reads what the worker says until it is ready or has ended. A child of it may hold the pipe open for longer."""
    end = os.pidfd_open(worker)
    poll = select.poll()
    poll.register(reading, select.POLLIN)
    poll.register(end, select.POLLIN)
    loading, rest, is_ready = [], b"", False
    try:
        while not is_ready:
            events = dict(poll.poll())
            said = os.read(reading, 65536) if reading in events else b""
            *messages, rest = (rest + said).split(b"\0")
            for message in messages:
                word, _, name = message.decode("utf-8", "surrogateescape").partition(" ")
                if word == "begin":
                    loading.append(name)
                elif word == "end" and name in loading:
                    loading.remove(name)
                elif word == "ready":
                    is_ready = True
            if not said:
                break
    finally:
        os.close(end)
    return is_ready, loading


def _how(status):
    if os.WIFSIGNALED(status):
        return signal.strsignal(os.WTERMSIG(status)) or "a signal"
    return f"exit code {os.waitstatus_to_exitcode(status)}"


def _end_like(status):
    if os.WIFSIGNALED(status):
        # The worker has left the core file, if there is to be one.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        faulthandler.disable()
        if os.WTERMSIG(status) not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)
