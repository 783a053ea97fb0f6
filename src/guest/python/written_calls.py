"""The tool calls of a program and what it gives them, as far as its syntax tree says so plainly. For a check before the
run, which must stop no right program: a name counts only if it can be nothing else, a value only if its type is sure."""

import ast
import builtins

from . import imports, source

MAX_CALLS = 1000
MAX_VALUES = 10_000
MAX_DEPTH = 16
MAX_TEXT = 100  # characters of a literal; none of a schema's few choices is longer

# What can give names another meaning behind the tree's back.
_REBINDS = frozenset(("exec", "eval", "globals", "locals", "vars", "setattr", "delattr", "__import__", "__builtins__"))
_OF_THE_MODULE = frozenset(("gather", "mcp", "MCPToolError", "ApprovalDenied"))
_OWN = frozenset(("context", "args", "deps", "device", "emit", "MCPToolError", "ApprovalDenied"))
# What functions of Python give, whatever they are given.
_GIVES = {
    "str": "text", "repr": "text", "int": "integer", "len": "integer", "float": "number", "bool": "truth",
    "list": "list", "sorted": "list", "dict": "dict",
}  # fmt: skip
_PLACES = {"read_resource", "$read", "get_prompt", "$prompt"}  # take their one argument without a name


class _Bindings(ast.NodeVisitor):
    """How often each name is bound, in any scope, and what it is bound to where that is plain."""

    def __init__(self):
        self.count = {}
        self.values = {}  # name: the expression of `name = expression`
        self.imported = {}  # name: what `from mcp import` gives, "" for mcp itself
        self.is_certain = True

    def _bind(self, name):
        self.count[name] = self.count.get(name, 0) + 1

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.is_certain = self.is_certain and node.id not in _REBINDS
        else:
            self._bind(node.id)

    def visit_Assign(self, node):
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self.values[node.targets[0].id] = node.value
        self.generic_visit(node)

    def visit_AnnAssign(self, node):
        if isinstance(node.target, ast.Name) and node.value is not None:
            self.values[node.target.id] = node.value
        self.generic_visit(node)

    def visit_arg(self, node):
        self._bind(node.arg)
        self.generic_visit(node)

    def _named(self, node):
        if node.name is not None:
            self._bind(node.name)
        self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_ExceptHandler = _named
    visit_MatchAs = visit_MatchStar = _named

    def visit_MatchMapping(self, node):
        if node.rest is not None:
            self._bind(node.rest)
        self.generic_visit(node)

    def visit_Import(self, node):
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            if alias.name not in imports.TOOL_MODULES:
                self._bind(name)
            elif name != "mcp":
                self._bind(name)
                self.imported[name] = ""

    def visit_ImportFrom(self, node):
        for alias in node.names:
            name = alias.asname or alias.name
            if name == "*":
                self.is_certain = False
            elif node.module not in imports.TOOL_MODULES:
                self._bind(name)
            elif alias.name == "mcp" and name != "mcp":
                self._bind(name)
                self.imported[name] = ""
            elif alias.name not in _OF_THE_MODULE:
                self._bind(name)
                self.imported[name] = alias.name


class _Places:
    """Places in the text as a reader counts them: lines from 1, columns from 0, in UTF-16 units."""

    def __init__(self, text):
        self._lines = text.encode("utf-8", "replace").split(b"\n")

    def _column(self, line, column):
        before = self._lines[line - 1][:column] if line <= len(self._lines) else b""
        return len(before.decode("utf-8", "ignore").encode("utf-16-le")) // 2

    def of(self, node):
        return [
            node.lineno,
            self._column(node.lineno, node.col_offset),
            node.end_lineno,
            self._column(node.end_lineno, node.end_col_offset),
        ]

    def of_name(self, node):
        """Of the last name of an expression: what stands behind its dot, or in its brackets."""
        if isinstance(node, ast.Subscript):
            return self.of(node.slice)
        line, _, end_line, end = self.of(node)
        name = node.attr if isinstance(node, ast.Attribute) else node.id
        return [end_line, max(0, end - len(name)), end_line, end]


class _Calls(ast.NodeVisitor):
    def __init__(self, text, bindings, servers):
        self._bindings = bindings
        self._servers = frozenset(servers)
        self._places = _Places(text)
        self._values_left = MAX_VALUES
        self.found = []
        self.looks_itself = False  # at what there is: `"github" in mcp`, hasattr(mcp.files, "copy")

    # What names are.

    def _is_unbound(self, name):
        return name not in self._bindings.count

    def _is_mcp(self, node):
        if not isinstance(node, ast.Name):
            return False
        if node.id == "mcp":
            return self._is_unbound("mcp")
        return self._bindings.imported.get(node.id) == "" and self._bindings.count[node.id] == 1

    @staticmethod
    def _member(node):
        """The name that is asked of an object; None: that is not plain."""
        if isinstance(node, ast.Attribute):
            return node.attr
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return node.slice.value
        return None

    def _bound_once(self, node):
        """What the one assignment to a name gives it."""
        if isinstance(node, ast.Name) and self._bindings.count.get(node.id) == 1:
            return self._bindings.values.get(node.id)
        return None

    def _server(self, node):
        """The server that an expression is, if it can be nothing else."""
        if isinstance(node, ast.Name):
            if (value := self._bound_once(node)) is not None:
                return None if isinstance(value, ast.Name) else self._server(value)
            if self._bindings.imported.get(node.id) and self._bindings.count[node.id] == 1:
                return self._bindings.imported[node.id]
            is_own = node.id in self._servers and node.id not in _OWN and not hasattr(builtins, node.id)
            return node.id if is_own and self._is_unbound(node.id) else None
        name = self._member(node)
        if name is None or not self._is_mcp(node.value) or name in _OF_THE_MODULE or name.startswith("__"):
            return None
        return name

    def _tool(self, node):
        """(server, tool) that an expression is."""
        if (value := self._bound_once(node)) is not None:
            return None if isinstance(value, ast.Name) else self._tool(value)
        name = self._member(node)
        if name is None or name.startswith("__") or (server := self._server(node.value)) is None:
            return None
        return server, name

    # What is found.

    def _add(self, node, server, tool, arguments=None):
        if len(self.found) < MAX_CALLS:
            named = node if not tool or isinstance(node, ast.Name) else node.value
            places = {"server_at": self._places.of_name(named), "at": self._places.of_name(node)}
            self.found.append({"server": server, "tool": tool, **places, "arguments": arguments})

    def _is_listed(self, node):
        return self._is_mcp(node) or self._server(node) is not None

    def visit_Compare(self, node):
        self.looks_itself = self.looks_itself or any(map(self._is_listed, node.comparators))
        self.generic_visit(node)

    def visit_For(self, node):
        self.looks_itself = self.looks_itself or self._is_listed(node.iter)
        self.generic_visit(node)

    visit_comprehension = visit_For

    def visit_Call(self, node):
        called = node.func
        if isinstance(called, ast.Name) and called.id in ("hasattr", "getattr", "dir", "list", "iter", "sorted"):
            self.looks_itself = self.looks_itself or any(map(self._is_listed, node.args))
        if isinstance(called, ast.Attribute) and called.attr in ("raw", "later") and self._tool(called.value):
            called = called.value
        if (tool := self._tool(called)) is None:
            return self.generic_visit(node)
        self._add(called, *tool, self._arguments(node, tool[1]))
        for argument in (*node.args, *node.keywords):
            self.visit(argument)

    def visit_Attribute(self, node):
        if isinstance(node.ctx, ast.Load) and (tool := self._tool(node)) is not None:
            return self._add(node, *tool)
        if isinstance(node.ctx, ast.Load) and (server := self._server(node)) is not None:
            return self._add(node, server, "")
        self.generic_visit(node)

    visit_Subscript = visit_Attribute

    # What a call is given.

    def _arguments(self, node, tool):
        given = {"kind": "dict", "names": [], "is_open": False}
        positional = node.args
        if any(isinstance(one, ast.Starred) for one in positional):
            given["is_open"] = True
        elif len(positional) == 1 and isinstance(positional[0], ast.Dict):
            given = self._dict(positional[0], 0)
        elif len(positional) == 1 and self._is_builtin(positional[0], "dict") and not positional[0].args:
            self._keywords(positional[0], given)
        elif positional:
            given["is_open"] = True
            is_wrong = len(positional) > 1 or self._value(positional[0], 0)["kind"] not in ("?", "dict")
            given["is_placed"] = is_wrong and not (tool in _PLACES and len(positional) == 1)
        self._keywords(node, given)
        return given

    def _keywords(self, node, given):
        for keyword in node.keywords:
            if keyword.arg is None:
                given["is_open"] = True
            else:
                line, column, *_ = self._places.of(keyword)
                at = [line, column, line, column + len(keyword.arg)]
                given["names"].append([keyword.arg, at, self._value(keyword.value, 0)])

    def _is_builtin(self, node, *names):
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        return is_call and node.func.id in names and self._is_unbound(node.func.id)

    def _value(self, node, depth):
        self._values_left -= 1
        if self._values_left < 0 or depth > MAX_DEPTH:
            return {"kind": "?"}
        value = self._described(node, depth)
        if value["kind"] != "?":
            value["at"] = self._places.of(node)
        return value

    def _described(self, node, depth):
        if isinstance(node, ast.Constant):
            return self._constant(node.value)
        if isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.Not):
                return {"kind": "truth"}
            inner = self._described(node.operand, depth)
            is_number = inner["kind"] in ("integer", "number") and isinstance(node.op, (ast.USub, ast.UAdd))
            return {"kind": inner["kind"]} if is_number else {"kind": "?"}
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            plain = [one for one in node.elts if not isinstance(one, ast.Starred)]
            return {"kind": "list", "items": [self._value(one, depth + 1) for one in plain]}
        if isinstance(node, (ast.ListComp, ast.SetComp)):
            return {"kind": "list", "items": [self._value(node.elt, depth + 1)]}
        if isinstance(node, ast.Dict):
            return self._dict(node, depth)
        if isinstance(node, ast.DictComp):
            return {"kind": "dict", "names": [], "is_open": True}
        if self._is_text(node):
            return {"kind": "text"}
        if self._is_builtin(node, *_GIVES):
            kind = _GIVES[node.func.id]
            return {"kind": kind, "names": [], "items": [], "is_open": True}
        return {"kind": "?"}

    @staticmethod
    def _is_text(node):
        if isinstance(node, ast.JoinedStr):
            return True
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
            return any(
                isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
                for side in ((node.left, node.right) if isinstance(node.op, ast.Add) else (node.left,))
            )
        return False

    @staticmethod
    def _constant(value):
        if value is None:
            return {"kind": "none"}
        if isinstance(value, bool):
            return {"kind": "truth"}
        if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
            return {"kind": "integer"}
        if isinstance(value, float):
            return {"kind": "number"}
        if isinstance(value, str):
            is_short = len(value) <= MAX_TEXT and value.isprintable()
            return {"kind": "text", "text": value} if is_short else {"kind": "text"}
        return {"kind": "?"}

    def _dict(self, node, depth):
        given = {"kind": "dict", "names": [], "is_open": False}
        for key, value in zip(node.keys, node.values):
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and len(key.value) <= MAX_TEXT:
                given["names"].append([key.value, self._places.of(key), self._value(value, depth + 1)])
            else:
                given["is_open"] = True
        return given


def read(code, servers):
    """{calls, names_known}: every tool and server that the program names, and what it calls them with. Where the program
    itself checks what there is, a name may be one that it does not use here."""
    tree = source.parse(code)
    bindings = _Bindings()
    bindings.visit(tree)
    if not bindings.is_certain:
        return {"calls": [], "names_known": False}
    calls = _Calls(source.program_text(code), bindings, servers)
    calls.visit(tree)
    return {"calls": calls.found, "names_known": not calls.looks_itself}


def answer(asked):
    """Of one program, as serve() reports it."""
    try:
        return read(asked["code"], asked["servers"])
    except SyntaxError:  # its run reports it
        return {"calls": [], "names_known": True}
    except (RecursionError, MemoryError, ValueError) as error:
        return {"error": type(error).__name__}


def serve(ask):
    """Reads one program after the other, until there is none."""
    said = None
    while (asked := ask(said=said)) is not None:
        said = answer(asked)
