"""MCP over standard input and output: lists skills, calls them side by side, and tells when there are others."""

import inspect
import json
import os
import sys
import threading
import time
import traceback

from . import hints, loading

_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_LOOK = 0.5  # seconds between two looks at the folder
_MOST_ERROR = 2000
_MOST_TRACEBACK = 6000
_OUR_FOLDER = os.path.dirname(__file__) + os.sep


class Service:
    def __init__(self, folder, progress, reading, writing):
        self._folder = folder
        self._progress = progress
        self._reading = reading
        self._writing = writing
        self._write_lock = threading.Lock()
        self._generation = loading.Generation()
        self._is_ready = False
        self._loop = None
        self._loop_lock = threading.Lock()
        self._tasks = {}  # id of a request: what can be cancelled

    def run(self):
        seen = loading.snapshot(self._folder)
        self._generation = loading.load(self._folder, self._progress, self._changed)
        self._progress.ready()
        self._report_problems()
        threading.Thread(target=self._watch, args=(seen,), daemon=True).start()
        for line in self._reading:
            try:
                message = json.loads(line, parse_int=_integer)
            except (ValueError, RecursionError):
                continue
            if isinstance(message, dict) and isinstance(message.get("method"), str):
                self._receive(message)

    # --- messages

    def _send(self, message):
        line = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8") + b"\n"
        with self._write_lock:
            self._writing.write(line)
            self._writing.flush()

    def _receive(self, message):
        method, params, number = message["method"], message.get("params"), message.get("id")
        params = params if isinstance(params, dict) else {}
        if number is None:
            if method == "notifications/initialized":
                self._is_ready = True
            elif method == "notifications/cancelled":
                task = self._tasks.get(params.get("requestId"))
                if task:
                    task.cancel()
            return
        if method == "tools/call":
            threading.Thread(target=self._call, args=(number, params), daemon=True).start()
            return
        if method == "initialize":
            wanted = params.get("protocolVersion")
            result = {"protocolVersion": wanted if wanted in _REVISIONS else _REVISIONS[-1],
                      "capabilities": {"tools": {"listChanged": True}},
                      "serverInfo": {"name": "glovebox-skills", "version": "1"}}
        elif method == "tools/list":
            result = {"tools": self._generation.listing()}
        elif method == "glovebox/problems":
            result = {"problems": self._generation.reported_problems()}
        elif method == "ping":
            result = {}
        else:
            self._send({"jsonrpc": "2.0", "id": number,
                        "error": {"code": -32601, "message": f"there is no method {method[:100]}"}})
            return
        self._send({"jsonrpc": "2.0", "id": number, "result": result})

    # --- calls

    def _call(self, number, params):
        try:
            result = self._result_of(number, params)
        except BaseException as error:  # whatever a skill raises is an answer
            result = self._failed(error)
        message = {"jsonrpc": "2.0", "id": number, "result": result}
        try:
            self._send(message)
        except ValueError as error:  # NaN, or a circle
            message["result"] = self._failed(error)
            self._send(message)

    def _result_of(self, number, params):
        name, arguments = params.get("name"), params.get("arguments")
        method = self._generation.find(name) if isinstance(name, str) else None
        if method is None:
            raise LookupError(f"there is no skill {str(name)[:100]}")
        value = method.call(arguments if isinstance(arguments, dict) else {})
        if inspect.iscoroutine(value):
            import asyncio  # a quarter of the start, which skills without async methods do not pay

            task = asyncio.run_coroutine_threadsafe(value, self._event_loop(asyncio))
            self._tasks[number] = task
            try:
                value = task.result()
            finally:
                del self._tasks[number]
        value = hints.to_json(value)
        # Without structured content, no content is nothing.
        return {"content": []} if value is None else {"content": [], "structuredContent": value}

    def _failed(self, error):
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_code.co_filename.startswith(_OUR_FOLDER):
            frames = frames.tb_next
        trace = "".join(traceback.format_exception(type(error), error, frames))
        if frames is None:
            trace = "Traceback (most recent call last):\n" + trace
        sys.stderr.write(trace)
        said = f"Skill error: {type(error).__name__}"
        try:
            text = str(error)
        except Exception:
            text = "it cannot say why"
        if text:
            said += ": " + text[:_MOST_ERROR]
        trace = trace if len(trace) <= _MOST_TRACEBACK else "Traceback (most recent call last): …" + \
            trace[-_MOST_TRACEBACK:]
        # The first part is for the guest; the second is kept where the owner finds it.
        parts = [{"type": "text", "text": hints.to_json(part)} for part in (said, trace)]
        return {"isError": True, "content": parts}

    def _event_loop(self, asyncio):
        """One loop for all async skills, so that what they keep between calls belongs to it."""
        with self._loop_lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, daemon=True).start()
            return self._loop

    # --- changes

    def _changed(self):
        if self._is_ready:
            self._send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})

    def _report_problems(self):
        for problem in self._generation.reported_problems():
            sys.stderr.write(problem + "\n")

    def _watch(self, loaded):
        glimpsed = loaded
        while True:
            time.sleep(_LOOK)
            now = loading.snapshot(self._folder)
            # Two polls found the same, so the file is not being written.
            is_settled, glimpsed = now == glimpsed, now
            if not is_settled or now == loaded:
                continue
            # A file that ended the process would do so again, unless it is another one now.
            for name in list(self._progress.refused):
                path = os.path.join(self._folder, name)
                if now.get(path) != loaded.get(path):
                    del self._progress.refused[name]
            loaded = now
            generation = loading.load(self._folder, self._progress, self._changed)
            self._generation = generation
            self._report_problems()
            self._changed()


def _integer(text):
    # Python refuses to read longer ones, and with them the whole message.
    return int(text) if len(text) <= 4000 else float(text)


def serve(folder, progress):
    # The protocol has descriptors of its own: what a skill or its children print goes to the log.
    reading = os.fdopen(os.dup(0), "rb")
    writing = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdin = open(0, "r", closefd=False)
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    Service(folder, progress, reading, writing).run()
    # The other side has gone. Threads of skills do not keep the process.
    sys.stdout.flush()
    os._exit(0)
