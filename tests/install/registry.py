"""A registry of npm packages on loopback: what npm asks of the one that everybody uses, for a few packages."""
import contextlib
import http.server
import io
import json
import os
import tarfile
import threading
import urllib.parse


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def packed(folder):
    """What `npm pack` makes of an installed package. It is not compressed much: most of it is one program."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1, dereference=True) as archive:
        archive.add(folder, "package")
    return out.getvalue()


def manifest_of(tarball):
    with tarfile.open(fileobj=io.BytesIO(tarball)) as archive:
        return json.load(archive.extractfile("package/package.json"))


@contextlib.contextmanager
def registry(tarballs, folders):
    """Its address. `tarballs` are packages that were packed, `folders` ones that were installed."""
    published = {}
    for tarball in [*map(bytes_of, tarballs), *map(packed, folders)]:
        about = manifest_of(tarball)
        published[about["name"]] = (about, tarball)

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name, _, tarball = urllib.parse.unquote(self.path).strip("/").partition("/-/")
            about, content = published.get(name, (None, None))
            if not about:
                self.send_error(404)
                return
            if not tarball:
                version = about["version"]
                address = f"http://{self.headers['Host']}/{name}/-/{os.path.basename(name)}-{version}.tgz"
                content = json.dumps({"name": name, "dist-tags": {"latest": version},
                                      "versions": {version: {**about, "dist": {"tarball": address}}}}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
