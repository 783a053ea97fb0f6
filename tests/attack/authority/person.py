"""A person at a terminal.

python3 person.py COMMAND …: runs it with a terminal of its own, shows nothing of that, and types the code that the card
shows. Its standard output and error are the command's. As a module: Terminal.
"""
import os
import pty
import re
import select
import sys
import time

PATIENCE = 120


class Terminal:
    """A command with a terminal that we hold the other end of. `out` and `error` are descriptors for its output; by default
    both are the terminal."""

    def __init__(self, command, environment=None, folder=None, out=None, error=None):
        self.seen = ""
        self.code = None
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(folder or ".")
                if out is not None:
                    os.dup2(out, 1)
                if error is not None:
                    os.dup2(error, 2)
                os.execvpe(command[0], command, environment or os.environ)
            finally:
                os._exit(127)

    def _read(self, seconds):
        """False at the end."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.seen += data.decode("utf-8", "replace")
        return bool(data)

    def read_until(self, pattern, begin=0):
        """What matches, in what is shown from `begin` on; None when the command ended before."""
        end = time.monotonic() + PATIENCE
        while True:
            found = re.compile(pattern).search(self.seen, begin)
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError("not shown: " + pattern + "\n" + self.seen)
            if not self._read(1):
                return re.compile(pattern).search(self.seen, begin)

    def type(self, text):
        os.write(self.master, text.encode())

    def finish(self):
        """The exit code."""
        if self.code is None:
            end = time.monotonic() + PATIENCE
            while self._read(1):
                if time.monotonic() > end:
                    raise AssertionError("the command does not end\n" + self.seen)
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self.master)
        return self.code


def main():
    terminal = Terminal(sys.argv[1:], out=os.dup(1), error=os.dup(2))
    asked = terminal.read_until(r"Type (\d+) for yes.*> |\[y\]es.*> ")
    if asked:
        terminal.type((asked.group(1) or "y") + "\n")
    sys.exit(terminal.finish())


if __name__ == "__main__":
    main()
