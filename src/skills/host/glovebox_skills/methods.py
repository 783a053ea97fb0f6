"""A skill's method as a tool: its definition for MCP, and how it is called."""

import inspect
import json
import threading
import typing

from . import hints

MOST_METHODS = 256  # of one class; the tools of all others have to fit in as well
_MOST_DESCRIPTION = 4000
_MOST_DEFAULT = 1000  # bytes of JSON


class Skill:
    """A class; it is made when it is first called, and kept."""

    def __init__(self, kind):
        self._kind = kind
        self._made = None
        self._lock = threading.Lock()

    def get(self):
        with self._lock:
            if self._made is None:
                self._made = (self._kind(),)
        return self._made[0]


class Method:
    def __init__(self, skill, kind, name, function, how):
        self._skill = skill
        self._name = name
        self._needs_object = how == "method"
        self._kind = kind
        self.remark = None
        parameters = list(inspect.signature(function).parameters.values())
        self._parameters = parameters[1:] if how != "static" else parameters
        try:
            self._hints = typing.get_type_hints(function, include_extras=True)
        except Exception as error:  # such as a name that is imported for type checkers only
            self.remark = f"its type hints cannot be read: {type(error).__name__}: {error}"
            self._hints = {}
        self.definition = {
            "name": f"{kind.__name__}.{name}",
            "description": (inspect.getdoc(function) or "")[:_MOST_DESCRIPTION],
            "inputSchema": self._input_schema(),
        }
        output = hints.schema_of(self._hints["return"]) if "return" in self._hints else {}
        if output:
            self.definition["outputSchema"] = output

    def _input_schema(self):
        properties, required, is_open = {}, [], False
        for parameter in self._parameters:
            if parameter.kind is parameter.VAR_KEYWORD:
                is_open = True
            if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                continue
            schema = hints.schema_of(self._hints[parameter.name]) if parameter.name in self._hints else {}
            if parameter.default is parameter.empty:
                required.append(parameter.name)
            else:
                schema.update(_default(parameter.default))
            properties[parameter.name] = schema
        schema = {"type": "object", "properties": properties, "additionalProperties": is_open}
        return {**schema, "required": required} if required else schema

    def call(self, arguments):
        """What the method returns; for an async one, what is to be awaited."""
        by_place, by_name = [], dict(arguments)
        for parameter in self._parameters:
            if parameter.name not in by_name:
                continue
            value = by_name.pop(parameter.name)
            if parameter.name in self._hints:
                value = hints.to_python(value, self._hints[parameter.name])
            if parameter.kind is parameter.POSITIONAL_ONLY:
                by_place.append(value)
            else:
                by_name[parameter.name] = value
        owner = self._skill.get() if self._needs_object else self._kind
        return getattr(owner, self._name)(*by_place, **by_name)


def _default(value):
    try:
        plain = hints.to_json(value)
        text = json.dumps(plain, allow_nan=False)
    except Exception:  # a default that JSON cannot say still makes the argument one that may be left out
        return {}
    return {"default": plain} if len(text) <= _MOST_DEFAULT else {}


def methods_of(kind, is_ours):
    """The public methods of a class, with those that it inherits from other classes of the folder; and what is wrong."""
    found, problems, skill = {}, [], Skill(kind)
    for base in kind.__mro__:
        if base is not kind and not is_ours(base):
            continue
        for name, member in list(vars(base).items()):
            if not isinstance(name, str) or name.startswith("_") or name in found:
                continue
            how = "static" if isinstance(member, staticmethod) else "class" if isinstance(member, classmethod) \
                else "method"
            function = getattr(member, "__func__", member) if how != "method" else member
            # Behind a decorator such as functools.cache there is a function.
            if not callable(function) or not inspect.isfunction(inspect.unwrap(function)):
                continue
            path = f"{kind.__name__}.{name}"
            if not name.isidentifier():
                problems.append(f"{path[:100]!r}: its name is no identifier")
                continue
            if len(found) == MOST_METHODS:
                problems.append(f"{kind.__name__} has more than {MOST_METHODS} methods; the others are left out")
                return found, problems
            try:
                found[name] = Method(skill, kind, name, function, how)
            except Exception as error:
                problems.append(f"{path}: it cannot be described: {type(error).__name__}: {error}")
                continue
            if found[name].remark:
                problems.append(f"{path}: {found[name].remark}")
    return found, problems
