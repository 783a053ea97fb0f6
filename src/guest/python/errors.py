"""How a failed run is reported: the program's own lines, and nothing of ours."""

import traceback

from . import files, imports, results, source, tools

MAX_TEXT_BYTES = 8000


def _cut(text):
    encoded = text.encode("utf-8", "replace")
    return text if len(encoded) <= MAX_TEXT_BYTES else encoded[:MAX_TEXT_BYTES].decode("utf-8", "ignore") + "..."


def _own_frames(error):
    """Leaves only frames of the program, in the whole chain."""
    seen = set()
    todo = [error]
    while todo:
        one = todo.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.stack[:] = [frame for frame in one.stack if frame.filename == source.FILE]
        todo += [one.__cause__, one.__context__, *(one.exceptions or ())]


def _describe(error):
    formatted = traceback.TracebackException.from_exception(error, limit=-100, compact=True)
    _own_frames(formatted)
    formatted.__notes__ = formatted.__notes__ and formatted.__notes__[:10]
    title = "".join(formatted.format_exception_only()).strip()
    frames = [frame for frame in formatted.stack]
    if isinstance(error, SyntaxError) and error.filename == source.FILE:
        position = (error.lineno or 0, error.offset or 0)
        title = f"{type(error).__name__}: {error.msg}"
    else:
        position = (frames[-1].lineno, (frames[-1].colno or 0) + 1) if frames else (0, 0)
    return title, "".join(formatted.format()).rstrip("\n"), position


def _kind_of(error):
    """(type, code) of the ExecutionResult's error."""
    if isinstance(error, tools.MCPToolError):
        return getattr(error, "kind", "ToolError"), str(error.code)
    if isinstance(error, tools.ApprovalDenied):
        return "PermissionError", "APPROVAL_DENIED"
    if isinstance(error, imports.BlockedImport):
        return "PermissionError", "MODULE_DENIED"
    if isinstance(error, PermissionError) and (hasattr(error, "code") or error.errno is None):
        return "PermissionError", "PERMISSION_DENIED"
    if isinstance(error, MemoryError):
        return "MemoryError", "MEMORY_LIMIT"
    if isinstance(error, RecursionError):
        return "LimitError", "STACK_LIMIT"
    if getattr(error, "limit_code", None):
        return "LimitError", error.limit_code
    if isinstance(error, SyntaxError) and error.filename == source.FILE:
        return "SyntaxError", "SYNTAX_ERROR"
    return "RuntimeError", "RUNTIME_ERROR"


def _advice(error):
    """How to fix it, where the message alone does not say."""
    if isinstance(error, AttributeError) and isinstance(error.obj, (str, dict, list)):
        kind = type(error.obj).__name__
        if error.name in ("content", "structuredContent", "structured_content"):
            return f"a tool's value is a plain Python value, here a {kind}, not MCP's content blocks; use it as it is"
        if isinstance(error.obj, dict) and error.name in error.obj:
            return f'use ["{error.name}"]'
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        return "there are no threads; run tools side by side with mcp.gather(mcp.a.b(...), mcp.c.d(...))"
    return imports.advice(error)


def report(error, code_text=""):
    """The `fail` frame, as a dict."""
    if isinstance(error, results.NotSerializable):
        kind = "LimitError" if error.code == "RESULT_TOO_LARGE" else "RuntimeError"
        return {"frame": "fail", "type": kind, "code": error.code, "message": _cut(str(error)), "stack": ""}
    if isinstance(error, OSError):
        # What failed while a file was closed has not been put into words yet.
        error = files.reworded(error).with_traceback(error.__traceback__)
    kind, code = _kind_of(error)
    try:
        title, text, (line, column) = _describe(error)
    except Exception:  # a program's own __str__ may do anything
        title, text, line, column = type(error).__name__, "", 0, 0
    else:
        if advice := _advice(error):
            title = f"{title}; {advice}"
        elif code == "SYNTAX_ERROR" and source.looks_like_script(code_text):
            title = f'{title}\nThis looks like TypeScript: set language to "typescript".'
    frame = {"frame": "fail", "type": kind, "code": code, "message": _cut(title), "stack": _cut(text)}
    if line and line > 0:
        frame.update(line=line, column=max(column, 0))
    if isinstance(getattr(error, "tool_name", None), str):
        frame["toolName"] = error.tool_name[:1000]
    return frame
