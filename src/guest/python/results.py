"""Values as JSON, in one bounded walk that names the place of what it refuses."""

import datetime
import json
import re
from json.encoder import encode_basestring

MAX_DEPTH = 128
_SCALARS = frozenset((str, int, float, bool, type(None)))
_INT_MIN, _INT_MAX = -(2**63), 2**64 - 1
_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)


class NotSerializable(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def path_text(root, path):
    text = root
    for step in path:
        if len(text) > 1000:
            return text + "..."
        if isinstance(step, int):
            text += f"[{step}]"
        elif _NAME.match(step):
            text += "." + step[:200]
        else:
            text += f"[{encode_basestring(step[:200])}]"
    return text


_ADVICE = {
    bytes: "bytes have no JSON form; return text, for example base64.b64encode(...).decode()",
    bytearray: "bytes have no JSON form; return text, for example base64.b64encode(...).decode()",
    complex: "a complex number has no JSON form; return its parts",
}


def _advice(value):
    kind = type(value)
    if kind in _ADVICE:
        return _ADVICE[kind]
    if hasattr(kind, "__dataclass_fields__"):
        return f"a dataclass, {kind.__name__}; return dataclasses.asdict(...) of it"
    if callable(value):
        return "a function; call it or leave it out"
    if hasattr(kind, "__await__"):
        return "it was never awaited"
    return f"an object of class {kind.__name__}; return a dict of what matters"


class _Walk:
    def __init__(self, root, verb):
        self.root, self.verb = root, verb
        self.path = []
        self.inside = set()
        self.plain = True  # whether the C encoder's output needs nothing more

    def refuse(self, what, code="RESULT_NOT_SERIALIZABLE"):
        raise NotSerializable(code, f"{path_text(self.root, self.path)} cannot be {self.verb}: {what}")

    def check(self, value):
        kind = type(value)
        if kind is int or (kind not in _SCALARS and isinstance(value, int) and not isinstance(value, bool)):
            if not _INT_MIN <= value <= _INT_MAX:
                self.refuse("an integer beyond 64 bits; return str(...) of it")
        elif kind is float or isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                self.plain = False
        elif kind in _SCALARS or isinstance(value, str):
            pass
        elif isinstance(value, (list, tuple)):
            self.enter(value, value, enumerate(value))
        elif isinstance(value, (set, frozenset)):
            self.enter(value, value, enumerate(value))
        elif isinstance(value, dict):
            self.check_keys(value)
            self.enter(value, value.values(), value.items())
        elif isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
            pass
        else:
            self.refuse(_advice(value))

    def check_keys(self, value):
        if set(map(type, value)) <= {str}:
            return
        seen = set()
        for key in value:
            if not isinstance(key, (str, int, float, bool, type(None))):
                self.refuse(f"a key of class {type(key).__name__}; JSON has text only")
            text = key if isinstance(key, str) else json.dumps(key)
            if text in seen:
                self.refuse(f"two keys that are both {encode_basestring(text[:200])} in JSON")
            seen.add(text)

    def enter(self, value, members, items):
        # Most long lists hold scalars of one kind: those are not checked one by one.
        kinds = set(map(type, members))
        if kinds <= {str, bool, type(None)}:
            return
        if kinds == {int}:
            if _INT_MIN <= min(members) and max(members) <= _INT_MAX:
                return
        if len(self.path) >= MAX_DEPTH:
            self.refuse(f"nested deeper than {MAX_DEPTH} levels", "RESULT_TOO_LARGE")
        if id(value) in self.inside:
            self.refuse("a cycle: it contains itself")
        self.inside.add(id(value))
        for key, member in items:
            self.path.append(key if isinstance(key, (int, str)) else json.dumps(key))
            self.check(member)
            self.path.pop()
        self.inside.discard(id(value))


def _without_odd_numbers(value):
    """A copy with null where JSON has no number."""
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_without_odd_numbers(member) for member in value]
    if isinstance(value, dict):
        return {key: _without_odd_numbers(member) for key, member in value.items()}
    return value


def _as_json(value):
    """Of what JSON itself does not have: sets are lists, in order where there is one; dates are ISO text."""
    if not isinstance(value, (set, frozenset)):
        return value.isoformat()
    try:
        return sorted(value)
    except TypeError:
        return list(value)


def encode(value, max_bytes, root="result", verb="returned"):
    walk = _Walk(root, verb)
    walk.check(value)
    if not walk.plain:
        value = _without_odd_numbers(value)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_as_json)
    # No character takes less than a byte; how many they are exactly the gateway counts.
    if len(text) > max_bytes or (not text.isascii() and len(text.encode("utf-8", "replace")) > max_bytes):
        remedy = "return less, or raise maxOutputBytes (--max-output)" if verb == "returned" else "send less"
        raise NotSerializable("RESULT_TOO_LARGE", f"{root} cannot be {verb}: it exceeds {max_bytes} bytes; {remedy}")
    return text
