"""J: clients with an access token, against a gateway that believes those of one issuer (http.oauth)."""
import base64
import http.server
import json
import os
import subprocess
import threading
import time
import unittest

from authority import AuthorityCase
from http_client import Gateway, HttpClient

AUDIENCE = "https://gateway.example/mcp"


def plain(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Issuer:
    """An authorization server: its keys, and what it signs."""

    def __init__(self, folder):
        self.folder, self.keys, self.asked = folder, {}, 0
        issuer = self

        class Keys(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                issuer.asked += 1
                body = json.dumps({"keys": list(issuer.keys.values())}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keys)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def path(self, key):
        return os.path.join(self.folder, key + ".pem")

    def make_key(self, key, publish=True):
        subprocess.run(["openssl", "genrsa", "-out", self.path(key), "2048"], check=True, capture_output=True)
        modulus = subprocess.run(["openssl", "rsa", "-in", self.path(key), "-noout", "-modulus"], check=True, capture_output=True, text=True).stdout
        if publish:
            self.keys[key] = {"kty": "RSA", "kid": key, "n": plain(bytes.fromhex(modulus.strip().split("=")[1])), "e": "AQAB"}

    def token(self, key="one", header=None, signed_by=None, **claims):
        claims = {"iss": self.url, "aud": AUDIENCE, "sub": "ann", "exp": int(time.time()) + 600, **claims}
        parts = [{"alg": "RS256", "kid": key, **(header or {})}, {name: value for name, value in claims.items() if value is not None}]
        text = ".".join(plain(json.dumps(part).encode()) for part in parts)
        signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.path(signed_by or key)], input=text.encode(), check=True, capture_output=True).stdout
        return text + "." + plain(signature)


class AccessTokenTest(AuthorityCase):
    def setUp(self):
        super().setUp()
        self.issuer = Issuer(self.folder("issuer"))
        self.addCleanup(self.issuer.close)
        self.issuer.make_key("one")
        self.config(mcpServers={"bank": self.server()}, permissions={"ask": ["bank:pay"]},
                    http={"oauth": {"issuer": self.issuer.url, "audience": AUDIENCE, "jwks": self.issuer.url + "/keys"}})
        self.gateway = Gateway(self.workspace, self.environment)
        self.addCleanup(self.gateway.close)

    def status(self, token, path="/mcp"):
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}
        return self.gateway.ask("POST" if path == "/mcp" else "GET", path, token, body if path == "/mcp" else None)[0]

    def test_only_the_issuers_tokens_for_this_gateway_and_for_now_count(self):
        issuer, now = self.issuer, int(time.time())
        self.assertEqual(self.status(issuer.token()), 200)
        self.assertEqual(self.status(issuer.token(aud=["other", AUDIENCE])), 200)
        issuer.make_key("strange", publish=False)
        whole = issuer.token()
        head, claims, _ = whole.split(".")
        for token in [issuer.token(aud="https://other.example/mcp"), issuer.token(aud=None), issuer.token(iss="https://evil.example"),
                      issuer.token(exp=now - 3600), issuer.token(exp=None), issuer.token(nbf=now + 3600), issuer.token(sub=None),
                      issuer.token(signed_by="strange"), issuer.token("strange"), issuer.token(header={"alg": "none"}), issuer.token(header={"alg": "HS256"}),
                      issuer.token(header={"crit": ["x"]}), f"{head}.{claims}.", plain(b'{"alg":"none"}') + f".{claims}.", whole + "x", "..", whole[:-20]]:
            self.assertEqual(self.status(token), 401, token)
        # It is an agent's token.
        for path in ["/api/v1", "/metrics"]:
            self.assertEqual(self.status(whole, path), 403)

    def test_a_token_without_the_scope_opens_nothing(self):
        self.config(http={"oauth": {"issuer": self.issuer.url, "audience": AUDIENCE, "jwks": self.issuer.url + "/keys", "scope": "glovebox"}})
        self.gateway = Gateway(self.workspace, self.environment)
        self.addCleanup(self.gateway.close)
        for scope in [None, "", "gloveboxes", "my-glovebox openid", "glovebox:read", ["glovebox"]]:
            self.assertEqual(self.status(self.issuer.token(scope=scope)), 403, scope)
        for scope in ["glovebox", "openid glovebox", "glovebox openid"]:
            self.assertEqual(self.status(self.issuer.token(scope=scope)), 200, scope)
        self.assertEqual(json.loads(self.gateway.ask("GET", "/.well-known/oauth-protected-resource", None)[2])["scopes_supported"], ["glovebox"])

    def test_a_scope_gets_its_profile_and_no_more(self):
        oauth = {"issuer": self.issuer.url, "audience": AUDIENCE, "jwks": self.issuer.url + "/keys",
                 "profiles": [{"scope": "all"}, {"scope": "read", "tools": ["bank:read_file", "bank:pay"], "ask": ["bank:read_file"], "runs": 1}]}
        self.config(mcpServers={"bank": self.server()}, permissions={"allow": ["bank"], "deny": ["bank:delete_file"]}, http={"oauth": oauth})
        self.gateway.close()
        self.gateway = Gateway(self.workspace, self.environment)
        self.addCleanup(self.gateway.close)
        for scope in [None, "", "reading", "glovebox"]:
            self.assertEqual(self.status(self.issuer.token(scope=scope)), 403, scope)
        reads, writes = (HttpClient(self.gateway, self.issuer.token(scope=scope)) for scope in ["read", "read all"])
        # What the profile leaves out is denied, and what it asks about needs approval, whatever the request says.
        for more in [{}, {"tools": ["bank"]}]:
            self.assertIn("error", reads.execute("return await mcp.bank.send({})", **more)["structuredContent"])
        asked = reads.execute("return await mcp.bank.read_file({})")["structuredContent"]
        self.assertEqual(asked["status"], "approval_required")
        self.assertEqual(self.calls(), [])
        # The first profile that a token has counts, and gives no more than the rules.
        self.assertNotIn("error", writes.execute("return await mcp.bank.send({})")["structuredContent"])
        self.assertIn("error", writes.execute("return await mcp.bank.delete_file({})")["structuredContent"])
        self.assertEqual([tool for tool, _ in self.calls()], ["send"])
        # A token of the same person with another profile is another client: it cannot control runs of the wider one.
        self.assertNotIn(asked["run_id"], json.dumps(writes.tool("list_runs", {})))
        narrow = self.issuer.token(scope="read")
        self.assertEqual(self.gateway.ask("POST", "/mcp", narrow, {"jsonrpc": "2.0", "id": 9, "method": "ping"}, writes.headers)[0], 404)
        self.assertEqual(json.loads(self.gateway.ask("GET", "/.well-known/oauth-protected-resource", None)[2])["scopes_supported"], ["all", "read"])

    def test_keys_of_the_issuer_may_change(self):
        self.assertEqual(self.status(self.issuer.token()), 200)
        # A client with an unknown key cannot make the gateway fetch keys repeatedly.
        self.issuer.make_key("strange", publish=False)
        before = self.issuer.asked
        for _ in range(20):
            self.status(self.issuer.token("strange"))
        self.assertLessEqual(self.issuer.asked, before + 2)

    def test_each_subject_is_somebody(self):
        ann, ben = HttpClient(self.gateway, self.issuer.token(sub="ann")), HttpClient(self.gateway, self.issuer.token(sub="ann "))
        told = ann.execute("return await mcp.bank.pay({})")["structuredContent"]
        self.assertEqual(told["status"], "approval_required")
        self.assertEqual(ben.tool("list_runs", {})["structuredContent"]["runs"], [])
        again = HttpClient(self.gateway, self.issuer.token(sub="ann", exp=int(time.time()) + 900))
        self.assertEqual([run["run_id"] for run in again.tool("list_runs", {})["structuredContent"]["runs"]], [told["run_id"]])

    def test_strangers_are_told_where_tokens_are_had(self):
        status, head, _ = self.gateway.ask("POST", "/mcp", None, {})
        self.assertEqual(status, 401)
        self.assertIn('resource_metadata="https://gateway.example/.well-known/oauth-protected-resource/mcp"', head["WWW-Authenticate"])
        for path in ["", "/mcp"]:
            status, _, text = self.gateway.ask("GET", "/.well-known/oauth-protected-resource" + path, None)
            self.assertEqual(status, 200)
            self.assertEqual(json.loads(text)["authorization_servers"], [self.issuer.url])
            self.assertEqual(json.loads(text)["resource"], AUDIENCE)


class ConfigTest(AuthorityCase):
    def test_keys_come_from_the_issuer_alone(self):
        for oauth in [{"issuer": "http://id.example", "audience": AUDIENCE}, {"issuer": "https://id.example", "audience": AUDIENCE, "jwks": "https://evil.example/keys"},
                      {"issuer": "https://id.example", "audience": "gateway"}, {"issuer": "https://id.example"}, {"audience": AUDIENCE},
                      {"issuer": "https://id.example", "audience": AUDIENCE, "profiles": []}, {"issuer": "https://id.example", "audience": AUDIENCE, "profiles": [{"tools": ["bank"]}]}]:
            self.config(http={"listen": "127.0.0.1:0", "oauth": oauth})
            served = self.glovebox("serve", "--workspace", self.workspace)
            self.assertEqual(served.returncode, 2, oauth)


if __name__ == "__main__":
    unittest.main()
