"""Run once by the build: the standard library with its bytecode beside the text, so that an import compiles nothing."""

import importlib._bootstrap_external as external
import importlib.util
import io
import zipfile

source = zipfile.ZipFile("/lib/python314.zip")
made = io.BytesIO()
with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as library:
    for entry in source.infolist():
        data = source.read(entry)
        when = (1980, 1, 1, 0, 0, 0)
        library.writestr(zipfile.ZipInfo(entry.filename, when), data, zipfile.ZIP_DEFLATED)
        if not entry.filename.endswith(".py"):
            continue
        try:
            code = compile(data, "/lib/python314.zip/" + entry.filename, "exec", dont_inherit=True)
        except SyntaxError:
            continue
        # Marked as not to be compared with its source, which is in the same archive.
        bytecode = external._code_to_hash_pyc(code, importlib.util.source_hash(data), False)
        library.writestr(zipfile.ZipInfo(entry.filename + "c", when), bytes(bytecode), zipfile.ZIP_DEFLATED)
made.getvalue()
