"""One run: from the `run` frame to the last frame of the guest, both as JSON text."""

import _random
import inspect
import json
import linecache
import os
import random
import sys
import time
import types
from collections import ChainMap

from . import artifacts, device, environ, errors, files, host, imports, logs, loop, net, plan, results, source, tools, wheels


def connect(natives):
    host.connect(natives)
    # Pyodide puts the working folder there. It is the host's, and nothing is imported from it.
    sys.path[:] = [entry for entry in sys.path if entry]


def _sleep(seconds, /):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    until = host.bridge.now() + -(-seconds * 1000 // 1)
    while host.bridge.now() < until:
        host.wait(until)


def install():
    """Once, before the snapshot."""
    logs.renew()
    time.sleep = _sleep
    random.getstate = _tell_state
    loop.install()
    files.install()
    environ.install()
    net.install()


_getstate = random.getstate
_draw = random.getrandbits
_seed = None  # of the run's generator


def _tell_state():
    host.bridge.note_chance()
    return _getstate()


def _note_chance():
    """Tells whether the run drew a number: the gateway may then not give its result to the next one. A generator that was
    not used draws what a new one does; to compare their states takes ten times as long."""
    if _draw(256) != _random.Random(_seed).getrandbits(256):
        host.bridge.note_chance()


def _begin(frame):
    global _seed
    # From the run's seed, as all randomness is.
    _seed = int.from_bytes(os.urandom(32), "little")
    random.seed(_seed)
    host.bridge.forget_chance()
    logs.begin(muted=frame.get("rehearsal", False))
    code = frame["code"]
    linecache.cache[source.FILE] = (len(code), None, code.splitlines(keepends=True), source.FILE)
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    sys.argv = [frame["name"]]
    namespace = main.__dict__
    context = frame["context"]
    if frame.get("wheels"):
        wheels.begin()
    blocked = frame.get("blockedImports", imports.BLOCKED)
    mcp = tools.Servers(frame["tools"])
    namespace.update(__builtins__=imports.builtins_without(blocked, mcp), __file__=source.FILE, context=context, args=context)
    if isinstance(context, dict) and "deps" in context:
        namespace["deps"] = context["deps"]
    namespace[source.LATER] = tools.later
    namespace["device"] = device.Device()
    namespace["emit"] = artifacts.emit
    namespace.update(tools.names_for(mcp, ChainMap(namespace, namespace["__builtins__"].__dict__)))
    return namespace


def _execute(frame):
    program = source.Program(frame["code"])
    if "plan" in frame:
        return json.dumps(plan.plan(frame["code"], frame["plan"]))
    namespace = _begin(frame)
    try:
        returned = program(namespace)
        if program.is_async:
            returned = loop.run(returned)
    except SystemExit as ended:
        if ended.code not in (None, 0):
            raise
        returned = None
    value = program.result(returned, namespace)
    if inspect.iscoroutine(value):
        value = loop.run(value)
    value = artifacts.result_of(value)
    # A call that was not awaited is made all the same, as a program's writes are.
    while host.has_unfinished():
        host.wait(-1)
    return results.encode(value, frame["maxOutputBytes"])


def run(text):
    frame = json.loads(text)
    try:
        try:
            value = _execute(frame)
        finally:
            # As at the end of every program, however it ends.
            files.save()
        if "plan" not in frame:
            _note_chance()
        last = '{"frame":"done","result":' + value + "}"
    except BaseException as error:
        last = json.dumps(errors.report(error, frame["code"]))
    logs.end()
    if "rehearsal" in frame:
        logs.renew()
    return last
