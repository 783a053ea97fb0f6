"""emit(name, data): pictures and files for the client of the run, beside its result."""

import base64
import io

from . import host, results

MAX_JSON_BYTES = 1 << 26  # the gateway has the limit that counts

# What notebooks ask objects for, the best first: method, ending, type.
_FORMS = (
    ("_repr_png_", ".png", "image/png"),
    ("_repr_jpeg_", ".jpg", "image/jpeg"),
    ("_repr_svg_", ".svg", "image/svg+xml"),
    ("_repr_html_", ".html", "text/html"),
    ("_repr_markdown_", ".md", "text/markdown"),
)


class ArtifactLimit(Exception):
    limit_code = "ARTIFACT_LIMIT"


ArtifactLimit.__name__ = ArtifactLimit.__qualname__ = "LimitError"
ArtifactLimit.__module__ = "builtins"


def _forms_of(value):
    """(ending, type, method) of what its class can show."""
    for method, ending, kind in _FORMS:
        if callable(getattr(type(value), method, None)):
            yield ending, kind, getattr(value, method)


def _as_bytes(content):
    return content.encode("utf-8", "replace") if isinstance(content, str) else bytes(content)


def _shown(value, name=""):
    """(ending, type, bytes) of an object that can show itself: as `name` ends, else as best it can."""
    forms = sorted(_forms_of(value), key=lambda form: not name.lower().endswith(form[0]))
    for ending, kind, make in forms:
        content = make()
        if isinstance(content, tuple):  # with metadata
            content = content[0]
        if isinstance(content, (str, bytes, bytearray)):
            return ending, kind, _as_bytes(content)
    return None


def _saved(value, name):
    """Figures that write themselves into a file: matplotlib's, and pictures of Pillow."""
    save = getattr(value, "savefig", None) or getattr(value, "save", None)
    if not callable(save):
        return None
    ending = name.rpartition(".")[2].lower() if "." in name else "png"
    file = io.BytesIO()
    save(file, format="jpeg" if ending == "jpg" else ending)
    return file.getvalue()


def _content_of(block):
    """(bytes, type) of a content block of a tool."""
    if not isinstance(block, dict) or block.get("type") not in ("image", "audio", "resource"):
        return None
    holder, key = (block.get("resource"), "blob") if block["type"] == "resource" else (block, "data")
    if not isinstance(holder, dict) or not isinstance(holder.get(key), str):
        return None
    return base64.b64decode(holder[key]), holder.get("mimeType")


def _artifact_of(name, data):
    """(bytes, type or None)"""
    if isinstance(data, str):
        return _as_bytes(data), None
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data), None
    if isinstance(data, (io.BytesIO, io.StringIO)):
        return _as_bytes(data.getvalue()), None
    for block in data if isinstance(data, list) else (data,):
        if found := _content_of(block):
            return found
    if (saved := _saved(data, name)) is not None:
        return saved, None
    if shown := _shown(data, name):
        return shown[2], shown[1]
    try:
        return results.encode(data, MAX_JSON_BYTES, "the artifact", "emitted").encode("utf-8", "replace"), "application/json"
    except results.NotSerializable as refused:
        raise TypeError(str(refused)) from None


def _send(name, content, kind):
    try:
        return host.call("emit", {"name": name, "type": kind or ""}, content)[0]
    except host.HostError as refused:
        raise (ArtifactLimit if refused.name == "LimitError" else TypeError)(refused.message) from None


def emit(name, data, type=None):
    """Keeps bytes, text, a figure or a JSON value as an artifact of the run: {"name", "type", "size", "digest"}."""
    if not isinstance(name, str):
        raise TypeError('emit takes a name and data, as in emit("chart.svg", svg)')
    content, kind = _artifact_of(name, data)
    return _send(name, content, str(type) if type else kind)


def result_of(value):
    """The value of a run; an artifact instead, where it is an object that can show itself as notebooks do."""
    if isinstance(value, (str, bytes, int, float, dict, list, tuple, set, frozenset, type(None))):
        return value
    shown = _shown(value)
    if shown is None:
        return value
    ending, kind, content = shown
    return {"artifact": _send("result" + ending, content, kind)["name"]}
