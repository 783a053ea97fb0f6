"""Tools of the host: mcp.<server>.<tool>(...), and what they raise."""

import json

from . import host, loop, results

MAX_ARGUMENT_BYTES = 1 << 20
MAX_NAME = 256


class MCPToolError(Exception):
    def __init__(self, message="", code="TOOL_ERROR", tool_name=None):
        super().__init__(message)
        self.code = code
        self.tool_name = tool_name
        self.structured_content = None  # what the server gave beside the words of a failure


class ApprovalDenied(PermissionError):
    pass


for _class in (MCPToolError, ApprovalDenied):
    _class.__module__ = "builtins"  # tracebacks name it as programs do


def _error_of(failure, tool_name):
    if failure.name == "ApprovalDenied":
        error = ApprovalDenied(failure.message)
    elif failure.name == "PermissionDenied":
        error = PermissionError(failure.message)
    elif failure.name == "LimitError":
        error = MCPToolError(failure.message, failure.code, tool_name)
        error.kind = "LimitError"
        return error
    else:
        error = MCPToolError(failure.message, failure.code, tool_name)
        error.structured_content = failure.data
        return error
    error.code = failure.code
    error.tool_name = tool_name
    return error


def _value_of(reply, tool_name):
    try:
        value, data = host.read_reply(reply)
    except host.HostError as failure:
        raise _error_of(failure, tool_name) from None
    return value if data is None else json.loads(data)


_BUILT_IN = {"read_resource": "uri", "$read": "uri", "get_prompt": "name", "$prompt": "name"}


class Tool:
    __slots__ = ("_server", "_name")
    _is_raw = False

    def __init__(self, server, name):
        self._server, self._name = server, name

    def _label(self):
        return f"{self._server}.{self._name}"

    def _arguments(self, given, named):
        label = self._label()
        # What every server has beside its tools takes its one argument without a name.
        if len(given) == 1 and isinstance(given[0], str) and self._name in _BUILT_IN:
            given = ({_BUILT_IN[self._name]: given[0]},)
        if len(given) > 1 or (given and not isinstance(given[0], dict)):
            got = f"{len(given)} arguments" if len(given) > 1 else f"a value of class {type(given[0]).__name__}"
            raise TypeError(f"{label} takes named arguments, as in {label}(name=value) or {label}({{\"name\": value}}); it was given {got}")
        if len(self._server) > MAX_NAME or len(self._name) > MAX_NAME:
            raise TypeError("No tool has a name that long")
        arguments = {**(given[0] if given else {}), **named}
        try:
            return results.encode(arguments, MAX_ARGUMENT_BYTES, "arguments", "sent")
        except results.NotSerializable as refused:
            raise TypeError(str(refused)) from None

    def __call__(self, /, *given, **named):
        arguments = self._arguments(given, named)
        host.make_room()
        number = host.bridge.call_tool(self._server, self._name, arguments, self._is_raw)
        return self._value(host.bridge.wait_for(number))

    def _value(self, reply):
        return _value_of(reply, self._label())

    def later(self, /, *given, **named):
        """The call under way: to be awaited, or given to mcp.gather."""
        return Begun(self, self._arguments(given, named))

    @property
    def raw(self):
        """The same tool, which gives MCP's content blocks instead of a value."""
        return _Raw(self)

    def __sub__(self, other):
        raise TypeError(f"{self._label()}-... is a subtraction; a tool called {self._name}-... is written {self._name}_...")

    def __getattr__(self, name):
        raise AttributeError(f"{self._label()} is a tool: call it, as in {self._label()}(name=value), and use .{name} of its value")

    def __repr__(self):
        return f"<tool {self._label()}>"


class _Raw(Tool):
    __slots__ = ("_arguments", "_value")
    _is_raw = True

    def __init__(self, tool):
        super().__init__(tool._server, tool._name)
        self._arguments, self._value = tool._arguments, tool._value


class Begun:
    """A call that is under way. Awaited, it gives its value."""

    def __init__(self, tool, arguments):
        self._tool = tool
        self._reply = None
        self._told = None
        host.start(lambda: host.bridge.call_tool(tool._server, tool._name, arguments, tool._is_raw), self._settle)

    def _settle(self, reply):
        self._reply = reply
        if self._told is not None:
            self._told()

    def value(self):
        while self._reply is None:
            host.wait(-1)
        return self._tool._value(self._reply)

    def __await__(self):
        if self._reply is None:
            future = loop.running().create_future()
            self._told = lambda: future.done() or future.set_result(None)
            yield from future
        return self._tool._value(self._reply)


class _Gathered:
    """mcp.gather(...) that is awaited."""

    def __init__(self, calls):
        self._calls = calls

    def __await__(self):
        values = []
        for call in self._calls:
            values.append((yield from call.__await__()) if hasattr(call, "__await__") else call)
        return values


class _Gather:
    """mcp.gather(mcp.a.b(...), mcp.c.d(...)): all calls at once, their values in order."""

    def __call__(self, *calls):
        return [call.value() if isinstance(call, Begun) else loop.complete(call) for call in calls]

    def later(self, *calls):
        return _Gathered(calls)

    def __repr__(self):
        return "<function mcp.gather>"


def later(function):
    """What source.py puts around whatever is awaited."""
    return function.later if isinstance(function, (Tool, _Gather)) else function


class Server:
    def __init__(self, name, tools):
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_tools", tuple(tools))

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") and name not in self._tools:
            raise AttributeError(name)
        return Tool(self._name, name)

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise TypeError("a tool's name is text")
        return Tool(self._name, name)

    def __setattr__(self, name, value):
        raise AttributeError("tools cannot be replaced")

    def __dir__(self):
        return list(self._tools)

    def __contains__(self, name):
        return name in self._tools

    def __iter__(self):
        return iter(self._tools)

    def __repr__(self):
        return f"<{self._name}: {', '.join(self._tools[:100]) or 'no known names'}>"


_OF_THE_MODULE = {"mcp": None, "MCPToolError": MCPToolError, "ApprovalDenied": ApprovalDenied}


class Servers:
    """mcp itself. Any server's name can be asked for; the host says whether there is one."""

    def __init__(self, listed):
        known = {}
        for entry in listed:
            known.setdefault(entry["server"], Server(entry["server"], entry["tools"]))
        object.__setattr__(self, "_known", known)
        object.__setattr__(self, "gather", _Gather())

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        # As in `from mcp import mcp, MCPToolError`.
        if name not in self._known and name in _OF_THE_MODULE:
            return self if name == "mcp" else _OF_THE_MODULE[name]
        return self[name]

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise TypeError("a server's name is text")
        return self._known.get(name) or Server(name, ())

    def __setattr__(self, name, value):
        raise AttributeError("servers cannot be replaced")

    def __dir__(self):
        return [*self._known, "gather"]

    def __contains__(self, name):
        return name in self._known

    def __iter__(self):
        return iter(self._known)

    def __repr__(self):
        return f"<mcp: {', '.join(self._known) or 'no known names'}>"


def names_for(mcp, namespace):
    """What a run has by name: mcp, its errors, and each server whose name is not taken."""
    names = {"mcp": mcp, "MCPToolError": MCPToolError, "ApprovalDenied": ApprovalDenied}
    for server in mcp:
        if server.isidentifier() and server not in namespace and server not in names:
            names[server] = mcp[server]
    return names
