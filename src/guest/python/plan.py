"""Which tools code can call, read from its syntax tree without running it. What only a run reveals is `dynamic`."""

import ast
import os.path

from . import imports, source

MAX_ENTRIES = 1000
MAX_CONDITIONS = 8  # of one place, the innermost ones
MAX_CONDITION = 80  # characters
_MAKES_CODE = frozenset(("eval", "exec", "compile", "__import__", "globals", "locals", "vars", "getattr"))


_OF_SKILLS = frozenset(("search_skills", "describe_function"))


def _text(node):
    text = ast.unparse(node).replace("\n", " ")
    return text if len(text) <= MAX_CONDITION else text[:MAX_CONDITION] + "..."


class _Conditions(ast.NodeVisitor):
    """Goes through a program and knows which branches, loops and functions stand around the place where it is."""

    def __init__(self):
        self.when = []

    def _under(self, condition, nodes):
        self.when.append(condition)
        for node in nodes:
            self.visit(node)
        self.when.pop()

    def visit_If(self, node):
        self.visit(node.test)
        shown = f"({_text(node.test)})"
        body, orelse = (node.body, node.orelse) if isinstance(node, ast.If) else ([node.body], [node.orelse])
        self._under(f"if {shown}", body)
        self._under(f"if not {shown}", orelse)

    visit_IfExp = visit_If

    def visit_BoolOp(self, node):
        self.visit(node.values[0])
        word = "if" if isinstance(node.op, ast.And) else "if not"
        self._under(f"{word} ({_text(node.values[0])})", node.values[1:])

    def visit_While(self, node):
        self.visit(node.test)
        self._under(f"while ({_text(node.test)})", node.body)
        self._each(node.orelse)

    def visit_For(self, node):
        self.visit(node.iter)
        self._under(f"for ({_text(node.target)} in {_text(node.iter)})", node.body)
        self._each(node.orelse)

    visit_AsyncFor = visit_For

    def _comprehension(self, node):
        self.visit(node.generators[0].iter)
        shown = [f"for ({_text(part.target)} in {_text(part.iter)})" for part in node.generators]
        shown += [f"if ({_text(test)})" for part in node.generators for test in part.ifs]
        self.when += shown
        for part in node.generators:
            self._each(part.ifs)
        for part in node.generators[1:]:
            self.visit(part.iter)
        self._each((node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,))
        del self.when[len(self.when) - len(shown) :]

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _comprehension

    def visit_Try(self, node):
        self._each(node.body)
        for handler in node.handlers:
            self._under("if that fails", [handler])
        self._each(node.orelse)
        self._each(node.finalbody)

    visit_TryStar = visit_Try

    def visit_match_case(self, node):
        self._under(f"case {_text(node.pattern)}", [*([node.guard] if node.guard else []), *node.body])

    def visit_FunctionDef(self, node):
        self._each(node.decorator_list)
        self.visit(node.args)
        self._under(f"in function {node.name}", node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.visit(node.args)
        self._under("in a function", [node.body])

    def _each(self, nodes):
        for node in nodes:
            self.visit(node)


class _Plan(_Conditions):
    def __init__(self, servers):
        super().__init__()
        self.servers = frozenset(servers)
        self.roots = {"mcp", "device"}
        self.aliases = {}  # name: server, of `gh = mcp.github` with one assignment
        self.tools = {}
        self.dynamic = {}

    def _add(self, into, key, node):
        if key not in into and len(into) >= MAX_ENTRIES:
            return
        entry = into.setdefault(key, {"line": node.lineno, "column": node.col_offset + 1, "when": list(self.when)})
        # What is called in several places is called under what they have in common.
        entry["when"] = os.path.commonprefix([entry["when"], self.when])

    def _is_mcp(self, node):
        return isinstance(node, ast.Name) and node.id in self.roots

    def note_import(self, node):
        """`import mcp as tools`, `from mcp import github`."""
        for alias in node.names:
            name = alias.asname or alias.name
            if isinstance(node, ast.Import):
                if alias.name in imports.TOOL_MODULES:
                    self.roots.add(name)
            elif node.module in imports.TOOL_MODULES:
                if alias.name == "mcp":
                    self.roots.add(name)
                elif alias.name not in ("MCPToolError", "ApprovalDenied"):
                    self.aliases[name] = alias.name

    def _server(self, node):
        """The server that an expression is, if it plainly is one."""
        if isinstance(node, ast.Attribute) and self._is_mcp(node.value) and node.attr != "gather":
            return None if node.value.id == "device" and node.attr in _OF_SKILLS else node.attr
        if isinstance(node, ast.Subscript) and self._is_mcp(node.value):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                return node.slice.value
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id) or (node.id if node.id in self.servers else None)
        return None

    def visit_Assign(self, node):
        server = self._server(node.value)
        if server is not None and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self.aliases[node.targets[0].id] = server
        else:
            self.generic_visit(node)

    def visit_Attribute(self, node):
        server = self._server(node.value)
        if server is not None:
            self._add(self.tools, (server, node.attr), node)
        elif self._is_mcp(node.value) and node.attr == "gather":
            pass
        elif self._is_mcp(node.value) and node.value.id == "device" and node.attr in _OF_SKILLS:
            self._add(self.tools, ("skills", node.attr), node)
        elif self._server(node) is not None:
            self._add(self.dynamic, "a server as a value", node)
        else:
            self.generic_visit(node)

    def visit_Subscript(self, node):
        server = self._server(node.value)
        if server is not None and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            self._add(self.tools, (server, node.slice.value), node)
        elif server is not None or self._is_mcp(node.value):
            self._add(self.dynamic, "a computed name of a tool or server", node)
            self.visit(node.slice)
        else:
            self.generic_visit(node)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and (self._is_mcp(node) or self._server(node) is not None):
            self._add(self.dynamic, "mcp or a server as a value", node)
        elif isinstance(node.ctx, ast.Load) and node.id in _MAKES_CODE:
            self._add(self.dynamic, f"{node.id}, which reaches what is not written", node)

    def _import(self, node):
        names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
        if any(name.partition(".")[0] in ("js", "pyodide", "pyodide_js", "glovebox_guest", "sys") for name in names):
            self._add(self.dynamic, "an import that reaches the host's bridge", node)

    visit_Import = visit_ImportFrom = _import


def _is_loop(condition):
    return condition.startswith(("for (", "while (", "in "))


def plan(code, servers):
    reader = _Plan(servers)
    tree = source.parse(code)
    # A name may be used above the line that makes it an alias.
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            reader.visit_Assign(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            reader.note_import(node)
    reader.tools.clear()
    reader.dynamic.clear()
    reader.visit(tree)
    tools = [
        {"server": server, "tool": tool, **at, "when": at["when"][-MAX_CONDITIONS:]} for (server, tool), at in reader.tools.items()
    ]
    return {
        "tools": tools,
        # Each tool once, where it is first written. Values are not followed.
        "calls": [
            {
                **tool,
                "from": [],
                "after": [],
                "is_conditional": not all(_is_loop(text) for text in tool["when"]),
                "is_repeated": any(_is_loop(text) for text in tool["when"]),
                "is_mentioned": False,
            }
            for tool in tools
        ],
        "flows_known": False,
        "dynamic": [{"what": what, "line": at["line"], "column": at["column"]} for what, at in reader.dynamic.items()],
    }
