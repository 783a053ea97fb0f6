"""http.client on the gateway's fetch, and with it urllib. A connection gathers the bytes of a request and answers with
those of a response; what is not HTTP says so."""

import http.client
import io
import socket
import subprocess
import urllib.request

from . import host

# Of the connection, which is the gateway's; of encodings, which it undoes.
_NOT_SENT = frozenset(("host", "connection", "content-length", "transfer-encoding", "accept-encoding", "keep-alive", "te", "upgrade", "expect"))
_NOT_RECEIVED = frozenset(("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"))


def _fetch(arguments, body):
    try:
        return host.call("net.fetch", arguments, body)[0]
    except host.HostError as failure:
        if failure.name == "PermissionDenied":
            denied = PermissionError(failure.message)
            denied.code = "PERMISSION_DENIED"
            raise denied from None
        raise ConnectionError(failure.message) from None


class _Body(io.RawIOBase):
    def __init__(self, head, stream):
        self._left = head
        self._stream = stream

    def readable(self):
        return True

    def readinto(self, buffer):
        while not self._left and self._stream is not None:
            try:
                value, data = host.call("net.read", {"stream": self._stream})
            except host.HostError as failure:
                raise ConnectionError(failure.message) from None
            if data is None and value and value.get("done"):
                self._stream = None
            self._left = data or b""
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count

    def close(self):
        if not self.closed and self._stream is not None:
            stream, self._stream = self._stream, None
            try:
                host.call("net.cancel", {"stream": stream})
            except host.HostError:
                pass
        super().close()


def _unchunked(data):
    body = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        length = int(size.partition(b";")[0] or b"0", 16)
        if length == 0:
            break
        body += data[:length]
        data = data[length + 2 :]
    return body


class _Exchange:
    """In place of a socket."""

    def __init__(self, scheme, host_name, port, default_port):
        name = f"[{host_name}]" if ":" in host_name and not host_name.startswith("[") else host_name
        self._origin = f"{scheme}://{name}" + ("" if port == default_port else f":{port}")
        self._sent = bytearray()

    def sendall(self, data):
        self._sent += data

    send = sendall

    def makefile(self, *args, **kwargs):
        head, _, body = bytes(self._sent).partition(b"\r\n\r\n")
        self._sent.clear()
        line, *fields = head.decode("latin-1").split("\r\n")
        method, _, rest = line.partition(" ")
        target = rest.rpartition(" ")[0]
        headers = [(name, value.strip()) for name, _, value in (field.partition(":") for field in fields)]
        if any(name.lower() == "transfer-encoding" for name, _ in headers):
            body = _unchunked(body)
        url = target if "://" in target else self._origin + target
        arguments = {
            "method": method,
            "url": url,
            "headers": [[name, value] for name, value in headers if name.lower() not in _NOT_SENT],
            "redirect": "manual",
            "body": "bytes" if body else "none",
        }
        answer = _fetch(arguments, body or None)
        lines = [f"HTTP/1.1 {answer['status']} {answer['statusText']}"]
        lines += [f"{name}: {value}" for name, value in answer["headers"] if name.lower() not in _NOT_RECEIVED]
        response = "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1", "replace")
        return io.BufferedReader(_Body(response, answer["stream"]))

    def close(self):
        pass

    def settimeout(self, timeout):
        pass

    def setsockopt(self, *args):
        pass

    def shutdown(self, how):
        pass


class HTTPSConnection(http.client.HTTPConnection):
    default_port = 443

    def __init__(self, host, port=None, *, timeout=None, source_address=None, context=None, blocksize=8192):
        super().__init__(host, port, timeout, source_address, blocksize=blocksize)

    def connect(self):
        self.sock = _Exchange("https", self.host, self.port, 443)


def _connect(self):
    self.sock = _Exchange("http", self.host, self.port, 80)


def _no_sockets(*args, **kwargs):
    raise OSError("sockets are not available in the sandbox; use urllib.request or http.client")


def _no_processes(self, *args, **kwargs):
    raise OSError("subprocesses are not available in the sandbox")


def install():
    http.client.HTTPConnection.connect = _connect
    http.client.HTTPSConnection = HTTPSConnection
    http.client._create_https_context = lambda http_version: None
    # The gateway's proxies and resolvers are not for the guest to know.
    urllib.request.getproxies = lambda: {}
    for name in ("connect", "connect_ex", "bind", "listen", "sendto"):
        setattr(socket.socket, name, _no_sockets)
    socket.create_connection = socket.create_server = socket.getaddrinfo = socket.gethostbyname = _no_sockets
    subprocess.Popen.__init__ = _no_processes
