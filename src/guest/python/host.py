"""Calls to the gateway, the only way out. Values cross as JSON text; the guest waits on its one socket inside a call."""

import json
from collections import deque

from pyodide.ffi import to_js

bridge = None  # natives of src/guest/python/python_calls.cc, once connected


class HostError(Exception):
    """What the gateway says of a call that failed; the caller words it for the program."""

    def __init__(self, name, code, message, data=None):
        super().__init__(message)
        self.data = data
        self.name = name
        self.code = code
        self.message = message


def connect(natives):
    global bridge
    bridge = natives


def read_reply(reply):
    """(value, bytes or None) of [id, ok, json, bytes?], or HostError."""
    ok, text, data = reply[1], reply[2], reply[3]
    value = json.loads(text) if text else None
    if not ok:
        raise HostError(value.get("name", ""), value.get("code", ""), value.get("message", ""), value.get("data"))
    return value, None if data is None else data.to_bytes()


def call(op, arguments, data=None):
    """One call, waited for: (value, bytes or None)."""
    make_room()
    number = bridge.call(op, json.dumps(arguments), None if data is None else to_js(data))
    return read_reply(bridge.wait_for(number))


# The gateway takes a limited number of calls at one time; the rest waits here, in order.
_waiting = deque()
_pending = {}  # id: what gets the reply


def start(send, settle):
    """Sends when there is room. `send` returns the call's id; `settle` gets its reply, from wait()."""
    if _waiting or len(_pending) >= bridge.max_calls:
        _waiting.append((send, settle))
    else:
        _pending[send()] = settle


def _settle(reply):
    settle = _pending.pop(int(reply[0]), None)
    while _waiting and len(_pending) < bridge.max_calls:
        send, later = _waiting.popleft()
        _pending[send()] = later
    if settle is not None:
        settle(reply)


def wait(until):
    """Blocks until any call that was started is answered or the clock shows `until` (ms; below zero: never)."""
    reply = bridge.wait_for_any(until)
    if reply is not None:
        _settle(reply)


def make_room():
    while len(_pending) >= bridge.max_calls:
        wait(-1)


def has_unfinished():
    return bool(_pending) or bool(_waiting)
