"""From what the agent sent to something that can be run: the last expression's value is the result, `return` and
`await` stand wherever they like, and a tool that is awaited does not hold up the others."""

import ast
import inspect
import re
import types

FILE = "<agent code>"
LAST = "<last>"  # no name that code can write
LATER = "<later>"

# Whose arguments are to run side by side.
_SIDE_BY_SIDE = frozenset(
    ("gather", "create_task", "ensure_future", "wait_for", "wait", "shield", "as_completed", "run_until_complete", "run")
)
_WAITS = re.compile("|".join(("await", *sorted(_SIDE_BY_SIDE))))


_FENCE = "```"


def without_fences(text):
    """The program in a Markdown block, each line where it was. The rule is that of program/agent_program.h."""
    if not text.lstrip().startswith(_FENCE):
        return text
    lines = text.split("\n")
    fences = [number for number, line in enumerate(lines) if line.strip().startswith(_FENCE)]
    last = max(number for number, line in enumerate(lines) if line.strip())
    if fences[-1] != last and len(fences) > 2:
        return text
    if len(fences) > 1:
        del lines[fences[-1] :]
    lines[fences[0]] = ""
    return "\n".join(lines)


_SCRIPT = re.compile(r"^\s*(const|let|var|function|async function|import .* from ['\"]|export) |\) => |===|^\s*//", re.MULTILINE)


def looks_like_script(text):
    """Whether code that is no Python is TypeScript."""
    return _SCRIPT.search(text) is not None


def _is_main_guard(node):
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("__name__ == '__main__'", "'__main__' == __name__")


def _last_statement(tree):
    """The list that holds the program's last statement: that of `if __name__ == "__main__":` where it ends with one."""
    body = tree.body
    while body and _is_main_guard(body[-1]):
        body = body[-1].body
    return body


def _call_main(tree):
    """A `main` that the program does not call itself is called."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "main":
            break
    else:
        return
    given = node.args
    needs = len(given.posonlyargs) + len(given.args) - len(given.defaults) + given.kw_defaults.count(None)
    if needs or isinstance(tree.body[-1], ast.Expr) or any(isinstance(one, ast.Name) and one.id == "main" for one in ast.walk(tree)):
        return
    call = ast.Expr(ast.Call(ast.Name("main", ast.Load()), [], []))
    tree.body.append(ast.fix_missing_locations(ast.copy_location(call, node)))


class _Later(ast.NodeTransformer):
    """`await f(x)` becomes `await <later>(f)(x)`: of a tool that is a call which has begun, of all else f itself."""

    def visit_Await(self, node):
        self.generic_visit(node)
        node.value = self._later(node.value)
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        if name in _SIDE_BY_SIDE:
            node.args = [self._later(argument) for argument in node.args]
        return node

    def _later(self, node):
        if isinstance(node, ast.Call):
            wrapped = ast.Call(ast.Name(LATER, ast.Load()), [node.func], [])
            node.func = ast.fix_missing_locations(ast.copy_location(wrapped, node.func))
        elif isinstance(node, ast.Starred):
            node.value = self._later(node.value)
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            node.elts = [self._later(element) for element in node.elts]
        elif isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            node.elt = self._later(node.elt)
        elif isinstance(node, ast.IfExp):
            node.body, node.orelse = self._later(node.body), self._later(node.orelse)
        return node


class _TopLevel(ast.NodeVisitor):
    """What stands outside of every function."""

    def __init__(self):
        self.returns = self.awaits = False

    def visit_Return(self, node):
        self.returns = True
        self.generic_visit(node)

    def visit_Await(self, node):
        self.awaits = True
        self.generic_visit(node)

    visit_AsyncFor = visit_AsyncWith = visit_Await

    def visit_comprehension(self, node):
        self.awaits = self.awaits or bool(node.is_async)
        self.generic_visit(node)

    def _skip(self, node):
        pass

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _skip


class _PlainAssignments(ast.NodeTransformer):
    """`x: int = 1` without its type: a name that is declared global may have none."""

    def visit_AnnAssign(self, node):
        if not isinstance(node.target, ast.Name):
            return node
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def _skip(self, node):
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _skip


def _as_function(tree, is_async):
    """The module's body as a function, so that it may return. Its names stay the module's."""
    tree = _PlainAssignments().visit(tree)
    kind = ast.AsyncFunctionDef if is_async else ast.FunctionDef
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    body = tree.body

    def compiled(statements):
        function = kind("module", none, statements, [], None, None, [])
        module = ast.fix_missing_locations(ast.Module([function], []))
        code = compile(module, FILE, "exec", dont_inherit=True)
        return next(const for const in code.co_consts if isinstance(const, types.CodeType))

    first = compiled(body)
    names = [name for name in (*first.co_varnames, *first.co_cellvars) if not name.startswith(".")]
    code = compiled([ast.Global(sorted(set(names))), *body]) if names else first
    return code.replace(co_name="<module>", co_qualname="<module>")


def program_text(text):
    """What is run, planned and checked of what was sent."""
    return without_fences(text.removeprefix("\ufeff"))


def parse(text):
    return ast.parse(program_text(text), FILE, "exec")


class Program:
    """Compiled code. Call it with the namespace that it is to run in; is_async: the call gives a coroutine."""

    def __init__(self, text):
        tree = parse(text)
        _call_main(tree)
        # To walk over the tree takes longer than to compile it. A name that is not ASCII may be another in the tree.
        if _WAITS.search(text) or not text.isascii():
            tree = _Later().visit(tree)
        outline = _TopLevel()
        if "return" in text:
            outline.visit(tree)
        body = _last_statement(tree)
        ends_with_value = bool(body) and isinstance(body[-1], ast.Expr)
        self.returns = outline.returns
        if outline.returns:
            if ends_with_value:
                body[-1] = ast.copy_location(ast.Return(body[-1].value), body[-1])
            self._code = _as_function(tree, outline.awaits)
        else:
            if ends_with_value:
                last = ast.copy_location(ast.Name(LAST, ast.Store()), body[-1])
                body[-1] = ast.copy_location(ast.Assign([last], body[-1].value), body[-1])
            self._code = compile(tree, FILE, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        self.is_async = bool(self._code.co_flags & inspect.CO_COROUTINE)

    def __call__(self, namespace):
        return types.FunctionType(self._code, namespace)() if self.returns else eval(self._code, namespace)

    def result(self, returned, namespace):
        """The run's result: what was returned, else the last expression, else `result`."""
        value = returned if self.returns else namespace.get(LAST)
        return namespace.get("result") if value is None else value
