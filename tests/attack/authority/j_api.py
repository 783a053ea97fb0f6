"""J: the HTTP API and the page, against those who may not decide."""
import http.client
import json
import re
import subprocess
import time
import unittest

from authority import GLOVEBOX, PATIENCE
from http_client import HttpClient
from j_tokens import PAY, TOKEN, WATCHER, TokenCase
from person import Terminal

API = "/api/v1"
HERE = API + "/workspaces/1"
MAIL = "ann.private@example.com"


def ask(port, method, path, token=None, body=None, headers=()):
    """(status, headers, text)"""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, None if body is None else json.dumps(body), {
            "Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {}), **dict(headers)})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


class ApiOfAGatewayTest(TokenCase):
    def test_only_an_approver_answers_and_agents_see_nothing(self):
        gateway = self.gateway()
        told = self.waits(HttpClient(gateway, TOKEN))
        approval = f"{HERE}/approvals/{told['approval_id']}"
        tokens = {role: self.token(role) for role in ["agent", "viewer", "approver", "operator"]}
        digest = json.loads(gateway.ask("GET", approval, tokens["approver"])[2])["digest"]
        yes = {"decision": "approve", "digest": digest}
        for token in [TOKEN, WATCHER, tokens["agent"], "", "nobodys-token-0123456789"]:
            for path in [API, HERE + "/runs", HERE + "/approvals", approval, HERE + "/audit", API + "/events"]:
                self.assertIn(gateway.ask("GET", path, token)[0], [401, 403], (token, path))
        for token in [TOKEN, WATCHER, tokens["agent"], tokens["viewer"], "", tokens["approver"] + "x"]:
            self.assertIn(gateway.ask("POST", approval, token, yes)[0], [401, 403], token)
        for token in [tokens["viewer"], tokens["approver"]]:
            self.assertEqual(gateway.ask("POST", f"{HERE}/runs/{told['run_id']}/cancel", token, {})[0], 403)
        self.assert_not_made("pay")
        self.assertEqual(gateway.ask("POST", approval, tokens["approver"], {"decision": "approve"})[0], 400)
        self.assertEqual(gateway.ask("POST", approval, tokens["approver"], {"decision": "approve", "digest": "0" * 64})[0], 409)
        self.assert_not_made("pay")
        self.assertEqual(gateway.ask("POST", approval, tokens["approver"], yes)[0], 200)

    def test_what_changes_something_is_for_an_operator_and_obeys_the_rules(self):
        self.config(mcpServers={"bank": self.server()}, permissions={"ask": ["bank:pay"], "allow": ["bank:find"], "deny": ["bank:send"]},
                    http={"token": TOKEN}, notify={"command": ["/bin/true"], "webhook": "https://hook.example/", "secret": "a-secret-of-the-owner-0123456789"})
        gateway = self.gateway()
        tokens = {role: self.token(role) for role in ["agent", "viewer", "approver", "operator"]}
        code = {"code": "return await mcp.bank.send({}).catch((error) => error.code)"}
        for role in ["agent", "viewer", "approver"]:
            for path, body in [("/runs", code), ("/tools/bank:pay/approve", {"hash": "x"}), ("/servers/bank/retry", {})]:
                self.assertEqual(gateway.ask("POST", HERE + path, tokens[role], body)[0], 403, (role, path))
        for path in ["/config", "/servers/bank/log", "/rules/usage"]:
            self.assertEqual(gateway.ask("GET", HERE + path, tokens["viewer"])[0], 403, path)
        # A secret of the config cannot be read through it.
        status, _, text = gateway.ask("GET", HERE + "/config", tokens["operator"])
        self.assertEqual(status, 200, text)
        self.assertNotIn("a-secret-of-the-owner", text)
        self.assertNotIn(TOKEN, text)
        # To the rules, a person who runs code over the API is an agent.
        status, _, text = gateway.ask("POST", HERE + "/runs", tokens["operator"], code)
        self.assertEqual(status, 202, text)
        run = HERE + "/runs/" + json.loads(text)["run"]
        while (shown := json.loads(gateway.ask("GET", run, tokens["operator"])[2]))["status"] == "running":
            time.sleep(0.05)
        self.assertEqual(shown["outcome"]["result"], "PERMISSION_DENIED")
        self.assert_not_made("send")
        for body in [{}, {"code": 1}, {"code": "return 1", "sandbox_config": {"allowRead": ["/"]}}, {"code": "return 1", "profile": []}]:
            self.assertIn(gateway.ask("POST", HERE + "/runs", tokens["operator"], body)[0], [400, 403], body)
        # No other file of ours can be read as a server's log.
        for name in ["..%2F..%2Faudit", "..%2Faudit", "%2e%2e%2faudit", "nobody"]:
            self.assertEqual(gateway.ask("GET", f"{HERE}/servers/{name}/log", tokens["operator"])[0], 404, name)

    def test_a_viewer_sees_no_private_data(self):
        gateway = self.gateway()
        HttpClient(gateway, TOKEN).execute(f"return 'write to {MAIL}'")
        viewer, approver = self.token("viewer"), self.token("approver")
        run = json.loads(gateway.ask("GET", HERE + "/runs", approver)[2])["runs"][0]["id"]
        for path in [HERE + "/runs", f"{HERE}/runs/{run}", f"{HERE}/runs/{run}/trace"]:
            status, _, text = gateway.ask("GET", path, viewer)
            self.assertEqual(status, 200, text)
            self.assertNotIn(MAIL, text)
        self.assertIn(MAIL, gateway.ask("GET", f"{HERE}/runs/{run}", approver)[2])

    def test_large_runs_of_a_client_make_no_list_large_and_hide_no_request(self):
        gateway = self.gateway()
        client, approver = HttpClient(gateway, TOKEN), self.token("approver")
        filler = "/*" + "x" * (3 << 20) + "*/"
        asked = [client.execute(filler + PAY)["structuredContent"]["approval_id"] for _ in range(7)]
        asked.append(self.waits(client)["approval_id"])
        status, _, text = gateway.ask("GET", HERE + "/runs", approver)
        self.assertEqual((status, len(json.loads(text)["runs"])), (200, 8))
        self.assertLess(len(text), 20_000)
        for form in ["", "&short=1"]:
            seen, after = [], ""
            while after is not None:
                status, _, text = gateway.ask("GET", f"{HERE}/approvals?limit=100{form}{after}", approver)
                self.assertEqual(status, 200, text[:200])
                self.assertLess(len(text), 24 << 20)
                page = json.loads(text)
                seen += [approval["id"] for approval in page["approvals"]]
                after = page["next"] and f"&after={page['next']}"
            self.assertEqual(sorted(seen), sorted(asked), form)
        # What a person decides about is there as a whole.
        card = json.loads(gateway.ask("GET", f"{HERE}/approvals/{asked[0]}", approver)[2])["card"]
        self.assertIn(filler, card["code"])

    def test_what_is_for_anybody_is_no_way_around_host_and_origin(self):
        gateway = self.gateway()
        for path in ["/ui/", API + "/openapi.json"]:
            self.assertEqual(gateway.ask("GET", path, "")[0], 200)
            self.assertEqual(gateway.ask("GET", path, "", headers={"Host": "evil.example"})[0], 403)
            self.assertEqual(gateway.ask("GET", path, "", headers={"Origin": "https://evil.example"})[0], 403)
        self.assertEqual(gateway.ask("POST", API + "/session", "", {"code": ""})[0], 404, "a gateway has no codes")
        self.assertEqual(gateway.ask("POST", API + "/session", "", {"code": "x" * 2000})[0], 413)
        for path in ["/ui/../metrics", "/ui/x/../../metrics", "/ui/%2e%2e/metrics", "/ui/index.html"]:
            self.assertIn(gateway.ask("GET", path, "")[0], [401, 404], path)
        policy = gateway.ask("GET", "/ui/", "")[1]["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)


class UiTest(TokenCase):
    def ui(self):
        terminal = Terminal([GLOVEBOX, "ui", "--no-open"], self.environment, self.workspace)

        def end():
            terminal.type("\x03")
            terminal.finish()
        self.addCleanup(end)
        return terminal

    @staticmethod
    def address(terminal, begin=0):
        found = terminal.read_until(r"http://127\.0\.0\.1:(\d+)/ui/#code=([\w-]+)", begin)
        return int(found[1]), found[2]

    def test_a_code_opens_the_page_once(self):
        terminal = self.ui()
        port, code = self.address(terminal)
        for wrong in ["", "x", code[:-1], code + "x"]:
            self.assertEqual(ask(port, "POST", API + "/session", body={"code": wrong})[0], 403)
        # A page of another site cannot even try.
        self.assertEqual(ask(port, "POST", API + "/session", body={"code": code}, headers={"Origin": "https://evil.example"})[0], 403)
        status, _, text = ask(port, "POST", API + "/session", body={"code": code})
        self.assertEqual(status, 200, text)
        self.assertEqual(ask(port, "POST", API + "/session", body={"code": code})[0], 403)
        self.assertEqual(ask(port, "GET", API, json.loads(text)["token"])[0], 200)
        self.assertEqual(ask(port, "GET", API, code)[0], 401)
        self.assertEqual(ask(port, "POST", "/mcp", json.loads(text)["token"], {})[0], 403, "the page speaks no MCP")
        seen = len(terminal.seen)
        terminal.type("\n")
        self.assertNotEqual(self.address(terminal, seen)[1], code)

    def test_without_a_terminal_nobody_gets_a_code(self):
        ran = subprocess.run(["setsid", GLOVEBOX, "ui", "--no-open"], env=self.environment, cwd=self.workspace, stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, check=False, timeout=PATIENCE)
        self.assertEqual(ran.returncode, 2)
        self.assertFalse(re.search("code=", ran.stdout + ran.stderr))


if __name__ == "__main__":
    unittest.main()
