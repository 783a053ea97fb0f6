"""device.<Skill>.<method>(...): the owner's skills. They are tools of the host like all others, by names of their own."""

import ast

from . import tools

_SERVER = "skills"  # whose tools describe skills
# What the gateway says of a server or a tool that there is not.
_NOT_THERE = frozenset(("TOOL_NOT_FOUND", "SERVER_NOT_FOUND", "NO_SERVERS"))
_NOT_ALLOWED = "SKILL_NOT_ALLOWED"


def _not_allowed(path):
    denied = PermissionError(f"Skill not allowed: {path}")
    denied.code = "PERMISSION_DENIED"
    denied.tool_name = path
    return denied


def _not_found(message):
    # Without a name: Python adds what it takes for a name that was meant, and the gateway has said what there is.
    return AttributeError(message, obj=_SERVER)


def _parameters(signature):
    """The names of `f(a: int, b: str = 'x') -> str`, in order."""
    try:
        function = ast.parse(f"def {signature}: pass").body[0]
    except (SyntaxError, ValueError, IndexError):
        return ()
    if not isinstance(function, ast.FunctionDef):
        return ()
    return tuple(argument.arg for argument in (*function.args.posonlyargs, *function.args.args))


class _Method(tools.Tool):
    """A tool that also takes its arguments by their places, as the method does that it stands for."""

    __slots__ = ("_device", "_places")

    def __init__(self, device, server, name, places):
        super().__init__(server, name)
        self._device, self._places = device, places

    def _arguments(self, given, named):
        if given and self._places and not (len(given) == 1 and isinstance(given[0], dict)):
            if len(given) > len(self._places):
                raise TypeError(f"{self._label()} takes {len(self._places)} arguments; it was given {len(given)}")
            for place, value in zip(self._places, given):
                if place in named:
                    raise TypeError(f"{self._label()} got two values for '{place}'")
                named[place] = value
            given = ()
        return super()._arguments(given, named)

    def _value(self, reply):
        path = self._label()
        try:
            return super()._value(reply)
        except tools.ApprovalDenied:
            raise
        except PermissionError:
            error = _not_allowed(path)
        except tools.MCPToolError as failure:
            if failure.code not in _NOT_THERE:
                raise
            error = self._device._why_there_is_no(path)
        raise error


class _Search(_Method):
    """Where there are no skills, nothing is found."""

    __slots__ = ()

    def _value(self, reply):
        try:
            return tools.Tool._value(self, reply)
        except tools.MCPToolError as failure:
            if failure.code not in _NOT_THERE:
                raise
        return []


class _Describe(_Method):
    __slots__ = ()

    def _value(self, reply):
        try:
            return tools.Tool._value(self, reply)
        except tools.MCPToolError as failure:
            if failure.code == _NOT_ALLOWED:
                error = PermissionError(str(failure))
                error.code = "PERMISSION_DENIED"
            elif failure.code in _NOT_THERE:
                error = _not_found(str(failure))
            else:
                raise
        raise error


class Skill:
    def __init__(self, device, name, methods):
        self.__dict__.update(_device=device, _name=name, _methods=methods)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _Method(self._device, self._name, name, self._methods.get(name, ()))

    def __setattr__(self, name, value):
        raise AttributeError("skills cannot be replaced")

    def __dir__(self):
        return list(self._methods)

    def __repr__(self):
        return f"<skill {self._name}: {', '.join(self._methods) or 'no known names'}>"


class Device:
    """What there is, is asked for once in a run, whether its names are known or not: a run that is repeated later asks
    the same."""

    def __init__(self):
        self.__dict__.update(
            _known=None,
            search_skills=_Search(self, _SERVER, "search_skills", ("query",)),
            describe_function=_Describe(self, _SERVER, "describe_function", ("path",)),
        )

    def _skills(self):
        if self._known is None:
            known = {}
            for found in self.search_skills():
                name, _, method = found["path"].partition(".")
                known.setdefault(name, {})[method] = _parameters(found["signature"])
            self.__dict__["_known"] = known
        return self._known

    def _why_there_is_no(self, path):
        """The error, in the gateway's words."""
        try:
            self.describe_function(path)
        except (AttributeError, PermissionError) as error:
            if str(error).startswith("Skill not"):
                return error.with_traceback(None)
        return _not_found(f"Skill not found: {path[:100]}. Available: none")

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        try:
            methods = self._skills().get(name)
        except PermissionError:
            # The owner forbids listing them, which says nothing about calls.
            methods = {}
        if methods is not None:
            return Skill(self, name, methods)
        raise self._why_there_is_no(name)

    def __setattr__(self, name, value):
        raise AttributeError("skills cannot be replaced")

    def __dir__(self):
        return [*self._skills(), "search_skills", "describe_function"]

    def __repr__(self):
        return "<device: skills of the owner>"
