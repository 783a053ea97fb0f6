"""Type hints: the JSON Schema that says the same, and values on their way between JSON and Python."""

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import inspect
import pathlib
import types
import typing
import uuid

_MOST_DEPTH = 12

_PLAIN = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    None: {"type": "null"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string"},
    uuid.UUID: {"type": "string", "format": "uuid"},
    decimal.Decimal: {"type": "string"},
    pathlib.Path: {"type": "string"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    set: {"type": "array"},
    frozenset: {"type": "array"},
    dict: {"type": "object"},
}
_LISTS = (list, set, frozenset, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection,
          collections.abc.Set, collections.abc.MutableSequence)
_DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_UNIONS = (typing.Union, types.UnionType)


def _is_json_scalar(value):
    return value is None or isinstance(value, (str, int, float, bool))


def _fields(hint):
    """Name, type and whether it must be there, of a dataclass or a TypedDict; None for other hints."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        hints = typing.get_type_hints(hint, include_extras=True)
        missing = dataclasses.MISSING
        return [(field.name, hints.get(field.name, typing.Any),
                 field.default is missing and field.default_factory is missing)
                for field in dataclasses.fields(hint) if field.init]
    if typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint)
        return [(name, inner, name in hint.__required_keys__) for name, inner in hints.items()]
    return None


def schema_of(hint, depth=0):
    """What a value must be, as far as the hint says; {} where it says nothing that JSON can."""
    if depth > _MOST_DEPTH:  # also the end of types that contain themselves
        return {}
    inner = lambda part: schema_of(part, depth + 1)  # noqa: E731
    if isinstance(hint, typing.NewType):
        return inner(hint.__supertype__)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        words = [word for word in parts[1:] if isinstance(word, str)]
        return {**inner(parts[0]), **({"description": words[0][:1000]} if words else {})}
    if origin is typing.Literal:
        return {"enum": list(parts)} if all(map(_is_json_scalar, parts)) else {}
    if origin in _UNIONS:
        return {"anyOf": [inner(part) for part in parts]}
    if origin in _LISTS and parts:
        return {"type": "array", "items": inner(parts[0])}
    if origin is tuple and parts:
        if len(parts) == 2 and parts[1] is Ellipsis:
            return {"type": "array", "items": inner(parts[0])}
        return {"type": "array", "prefixItems": [inner(part) for part in parts],
                "minItems": len(parts), "maxItems": len(parts)}
    if origin in _DICTS and parts:
        return {"type": "object", "additionalProperties": inner(parts[1])}
    if isinstance(hint, collections.abc.Hashable) and hint in _PLAIN:
        return dict(_PLAIN[hint])
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        values = [member.value for member in hint]
        return {"enum": values} if values and all(map(_is_json_scalar, values)) else {}
    fields = _fields(hint)
    if fields is not None:
        schema = {"type": "object", "properties": {name: inner(part) for name, part, _ in fields},
                  "additionalProperties": False}
        required = [name for name, _, must in fields if must]
        return {**schema, "required": required} if required else schema
    return {}


def to_python(value, hint):
    """The value as the method wants it. What does not fit is passed on as it came, for the method to refuse."""
    if isinstance(hint, typing.NewType):
        return to_python(value, hint.__supertype__)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return to_python(value, parts[0])
    if origin in _UNIONS:
        for part in parts:
            try:
                made = to_python(value, part)
            except (TypeError, ValueError, KeyError, ArithmeticError):
                continue
            if _is_a(made, part):
                return made
        return value
    if isinstance(value, list):
        if origin is tuple or hint is tuple:
            fixed = parts and parts[-1] is not Ellipsis
            kinds = parts if fixed else (parts[:1] or (typing.Any,)) * len(value)
            return tuple(to_python(item, kind) for item, kind in zip(value, kinds)) if len(kinds) == len(value) \
                else tuple(value)
        if (origin or hint) in _LISTS:
            made = [to_python(item, parts[0] if parts else typing.Any) for item in value]
            return (origin or hint)(made) if (origin or hint) in (set, frozenset) else made
        return value
    if isinstance(value, dict):
        if origin in _DICTS and parts:
            return {key: to_python(item, parts[1]) for key, item in value.items()}
        fields = _fields(hint)
        if fields is None:
            return value
        kinds = {name: part for name, part, _ in fields}
        made = {key: to_python(item, kinds.get(key, typing.Any)) for key, item in value.items()}
        return hint(**made) if dataclasses.is_dataclass(hint) else made
    if not isinstance(hint, type):
        return value
    if issubclass(hint, enum.Enum):
        return hint(value)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        if hint in (datetime.datetime, datetime.date, datetime.time):
            # Until 3.11, fromisoformat does not know the Z that everybody writes.
            return hint.fromisoformat(value[:-1] + "+00:00" if hint is datetime.datetime and value.endswith("Z")
                                      else value)
        if hint in (uuid.UUID, decimal.Decimal, pathlib.Path):
            return hint(value)
    return value


def _is_a(value, hint):
    """Whether a value is of this member of a union, as far as can be seen from outside."""
    origin = typing.get_origin(hint)
    if origin is typing.Annotated:
        return _is_a(value, typing.get_args(hint)[0])
    if origin is typing.Literal:
        return value in typing.get_args(hint)
    kind = origin or hint
    if typing.is_typeddict(kind):
        return isinstance(value, dict)
    if not isinstance(kind, type):
        return True
    if kind in (int, float) and isinstance(value, bool):
        return False
    return isinstance(value, kind)


def to_json(value, depth=0):
    """Plain lists, dicts, texts, numbers, truths and None; TypeError for what cannot be one."""
    if depth > 60:
        raise ValueError("the result is nested too deeply")
    if isinstance(value, enum.Enum):
        return to_json(value.value, depth + 1)
    if isinstance(value, str):
        # Half of a surrogate pair is no text in JSON that others would read.
        return str(value).encode("utf-8", "replace").decode("utf-8")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, collections.abc.Mapping):
        return {_key(key): to_json(item, depth + 1) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name), depth + 1) for field in dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return to_json(value._asdict(), depth + 1)
    if isinstance(value, (set, frozenset)):
        # The order of a set is another in every process, and a default that changes is another definition.
        return sorted((to_json(item, depth + 1) for item in value), key=repr)
    if isinstance(value, (list, tuple, collections.abc.MappingView)) or inspect.isgenerator(value):
        return [to_json(item, depth + 1) for item in value]
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (uuid.UUID, decimal.Decimal, pathlib.PurePath)):
        return str(value)
    raise TypeError(f"the result holds a {type(value).__name__}, which has no form in JSON")


def _key(key):
    key = to_json(key)
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    if isinstance(key, (str, int, float)):
        return str(key)
    raise TypeError("the result has a key that is not a string")
