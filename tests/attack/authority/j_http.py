"""J: untrusted clients at the HTTP door, against the clients that it is there for."""
import json
import re
import socket
import subprocess
import unittest

import authority

TOKEN = "a-token-of-some-length-0123456789"
INITIALIZE = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}})


class HttpTest(authority.AuthorityCase):
    def setUp(self):
        super().setUp()
        self.config(http={"listen": "127.0.0.1:0", "token": TOKEN})
        self.gateway = subprocess.Popen([authority.GLOVEBOX, "serve", "--workspace", self.workspace], env=self.environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.port = next(int(found[1]) for line in self.gateway.stderr if (found := re.search(r"listening on .*:(\d+)/mcp", line)))

    def stop(self):
        self.gateway.terminate()
        self.gateway.wait(authority.PATIENCE)
        self.gateway.stderr.close()

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=authority.PATIENCE)
        self.addCleanup(connection.close)
        return connection

    def status(self, path="/mcp", body=INITIALIZE, **fields):
        """The status of a POST; 0: the connection was cut."""
        fields = {"Host": f"localhost:{self.port}", "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json",
                  "Accept": "application/json, text/event-stream", "Content-Length": len(body), **{name.replace("_", "-"): value for name, value in fields.items()}}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
        connection = self.connect()
        try:
            connection.sendall(f"POST {path} HTTP/1.1\r\n{head}Connection: close\r\n\r\n{body}".encode())
            answer = connection.recv(4096).decode()
        except ConnectionError:
            return 0
        return int(answer.split(" ")[1]) if answer else 0

    def test_half_requests_of_strangers_shut_nobody_out(self):
        self.assertEqual(self.status(), 200)
        for _ in range(520):
            try:
                self.connect().sendall(b"POST /mcp HTTP/1.1\r\nHost: local")
            except ConnectionError:
                pass
        self.assertEqual(self.status(), 200)

    def test_a_stranger_has_little_time_for_a_head(self):
        connection = self.connect()
        connection.sendall(b"POST /mcp HTTP/1.1\r\nHost: local")
        connection.settimeout(60)
        self.assertEqual(connection.recv(100), b"", "it may say nothing for a minute")

    def test_names_that_only_begin_like_ours_are_refused(self):
        for host in [f"localhost:{self.port}.evil.com", "localhost:", "localhost:x", "[::1].evil.com", "localhost:1@evil.com"]:
            self.assertEqual(self.status(Host=host), 403, host)
        for origin in ["http://localhost:x@evil.com", f"http://localhost:{self.port}@evil.com", f"http://localhost:{self.port}.evil.com",
                       "http://localhost:1", "http://127.0.0.1", f"https://localhost:{self.port}", "null"]:
            self.assertEqual(self.status(Origin=origin), 403, origin)
        self.assertEqual(self.status(Origin=f"http://localhost:{self.port}"), 200)

    def test_a_body_of_unknown_length_is_refused(self):
        for encoding in ["gzip", "identity", "chunked, gzip", "xchunked"]:
            self.assertEqual(self.status(Transfer_Encoding=encoding, Content_Length=None), 501, encoding)

    def test_approvals_are_answered_in_json_only(self):
        for kind in ["text/plain", "application/x-www-form-urlencoded", None]:
            self.assertEqual(self.status("/api/v1/workspaces/1/approvals/none", '{"decision":"approve"}', Content_Type=kind), 415, kind)
        self.assertEqual(self.status("/api/v1/workspaces/1/approvals/none", '{"decision":"approve"}'), 403, "an agent's token answers nothing")


if __name__ == "__main__":
    unittest.main()
