"""Intruders at the port where a person's browser is expected: pages that the person visits, and other programs of this machine."""
import http.server
import json
import re
import socket
import subprocess
import threading
import time
import unittest
import urllib.parse

from authority import GLOVEBOX, PATIENCE, AuthorityCase

PORT = 33418
HOST = f"127.0.0.1:{PORT}"


class Server(http.server.BaseHTTPRequestHandler):
    """An MCP server that wants a token, and its authorization server."""
    tokens = []  # the requests for a token

    def base(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if self.path == "/token":
            Server.tokens.append(urllib.parse.parse_qs(body))
            return self.reply(200, {"access_token": "t", "token_type": "Bearer"})
        if "oauth-protected-resource" in self.path:
            return self.reply(200, {"resource": f"{self.base()}/mcp", "authorization_servers": [self.base()]})
        if "well-known" in self.path:
            return self.reply(200, {"issuer": self.base(), "token_endpoint": f"{self.base()}/token",
                                    "authorization_endpoint": f"{self.base()}/authorize", "response_types_supported": ["code"],
                                    "code_challenge_methods_supported": ["S256"], "grant_types_supported": ["authorization_code"]})
        if self.headers.get("Authorization") != "Bearer t":
            return self.reply(401, {}, {"WWW-Authenticate": f'Bearer resource_metadata="{self.base()}/.well-known/oauth-protected-resource"'})
        message = json.loads(body or "{}")
        if "id" not in message:
            return self.reply(202, {})
        results = {"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "crm", "version": "1"}},
                   "tools/list": {"tools": [{"name": "find", "inputSchema": {"type": "object"}}]}}
        known = message.get("method") in results
        said = {"result": results[message["method"]]} if known else {"error": {"code": -32601, "message": "not here"}}
        return self.reply(200, {"jsonrpc": "2.0", "id": message["id"], **said})

    do_GET = do_POST = do_DELETE = answer

    def reply(self, status, document, headers=None):
        body = json.dumps(document).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def ask(target, host=HOST, method="GET"):
    """What the port answers to a browser: the status, or 0 for nothing."""
    with socket.create_connection(("127.0.0.1", PORT), PATIENCE) as browser:
        browser.sendall(f"{method} {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        answer = browser.recv(4096)
    return int(answer.split()[1]) if answer else 0


class SignInTest(AuthorityCase):
    def setUp(self):
        super().setUp()
        Server.tokens = []
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.config(mcpServers={"crm": {"url": f"http://127.0.0.1:{server.server_port}/mcp", "oauth": {"clientId": "me"}}})

    def sign_in(self):
        """The command, and the page that it wants opened. Any connection of this machine may have its port for a while."""
        for _ in range(PATIENCE):
            signing = subprocess.Popen([GLOVEBOX, "server", "test", "crm", "--sign-in"], env=self.environment, cwd=self.workspace,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.addCleanup(signing.stderr.close)
            self.addCleanup(signing.stdout.close)
            self.addCleanup(signing.kill)
            printed = ""
            for line in signing.stderr:
                if "/authorize?" in line:
                    return signing, line.strip()
                printed += line
            self.assertIn(f"at port {PORT}", printed)
            signing.wait(PATIENCE)
            time.sleep(1)
        return self.skipTest(f"somebody else has port {PORT}")

    def test_strangers_neither_end_a_sign_in_nor_choose_its_code(self):
        signing, page = self.sign_in()
        state = urllib.parse.parse_qs(urllib.parse.urlsplit(page).query)["state"][0]
        right = f"/callback?code=right&state={state}"
        silent = socket.create_connection(("127.0.0.1", PORT), PATIENCE)  # it never sends anything
        self.addCleanup(silent.close)
        for target in ["/callback?code=evil", "/callback?code=evil&state=", f"/callback?code=evil&state={state[:-1]}", "/callback?error=access_denied",
                       f"/callback?code=evil&state=x&state={state}", f"/other?code=evil&state={state}"]:
            self.assertEqual(ask(target), 404, target)
        for host in ["evil.example", f"{HOST}.evil.example", f"localhost:{PORT}", "127.0.0.1"]:
            self.assertEqual(ask(right.replace("right", "evil"), host), 404, host)
        self.assertEqual(ask(right.replace("right", "evil"), method="POST"), 404)
        self.assertIsNone(signing.poll(), "it still waits")
        self.assertEqual(ask(right), 200)
        printed, _ = signing.communicate(timeout=PATIENCE)
        self.assertEqual(signing.returncode, 0, printed)
        self.assertEqual([asked["code"] for asked in Server.tokens], [["right"]])
        self.assertTrue(re.search(r"\bcrm\b", printed), printed)


if __name__ == "__main__":
    unittest.main()
