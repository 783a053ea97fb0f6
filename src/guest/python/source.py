"""From what the agent sent to something that can be run: the last expression's value is the result, `return` and
`await` stand wherever they like, and a tool that is awaited does not hold up the others."""

import ast
import inspect
import types

FILE = "<agent code>"
LAST = "<last>"  # no name that code can write
LATER = "<later>"

# Whose arguments are to run side by side.
_SIDE_BY_SIDE = frozenset(
    ("gather", "create_task", "ensure_future", "wait_for", "wait", "shield", "as_completed", "run_until_complete", "run")
)


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


class Program:
    """Compiled code. Call it with the namespace that it is to run in; is_async: the call gives a coroutine."""

    def __init__(self, text):
        tree = ast.parse(text.removeprefix("\ufeff"), FILE, "exec")
        tree = _Later().visit(tree)
        outline = _TopLevel()
        outline.visit(tree)
        ends_with_value = bool(tree.body) and isinstance(tree.body[-1], ast.Expr)
        self.returns = outline.returns
        if outline.returns:
            if ends_with_value:
                tree.body[-1] = ast.copy_location(ast.Return(tree.body[-1].value), tree.body[-1])
            self._code = _as_function(tree, outline.awaits)
        else:
            if ends_with_value:
                last = ast.Name(LAST, ast.Store())
                assignment = ast.Assign([last], tree.body[-1].value)
                tree.body[-1] = ast.fix_missing_locations(ast.copy_location(assignment, tree.body[-1]))
            self._code = compile(tree, FILE, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        self.is_async = bool(self._code.co_flags & inspect.CO_COROUTINE)

    def __call__(self, namespace):
        return types.FunctionType(self._code, namespace)() if self.returns else eval(self._code, namespace)

    def result(self, returned, namespace):
        """What the run is worth: what was returned, else the last expression, else `result`."""
        value = returned if self.returns else namespace.get(LAST)
        return namespace.get("result") if value is None else value
