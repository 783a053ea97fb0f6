"""J: holders of one token, against what another token is for."""
import json
import os
import re
import subprocess
import sys
import unittest

from authority import GLOVEBOX, HERE, PATIENCE, AuthorityCase, text_of
from http_client import Gateway, HttpClient

TOKEN = "a-token-of-some-length-0123456789"
WATCHER = "a-token-of-those-who-watch-0123456789"
APPROVALS = "api/v1/workspaces/1/approvals"
PAY = "return await mcp.bank.pay({to: 'bob', sum: 1})"
FIND = "return await mcp.bank.find({})"
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}


class TokenCase(AuthorityCase):
    def setUp(self):
        super().setUp()
        self.config(mcpServers={"bank": self.server()}, permissions={"ask": ["bank:pay"], "allow": ["bank:find", "bank:send"]},
                    http={"token": TOKEN}, observe={"token": WATCHER})

    def gateway(self):
        gateway = Gateway(self.workspace, self.environment)
        self.addCleanup(gateway.close)
        return gateway

    def token(self, role, *arguments):
        """As a person at a terminal makes it."""
        made = subprocess.run([sys.executable, os.path.join(HERE, "person.py"), GLOVEBOX, "token", "new", "--role", role, "--json", *arguments],
                              env=self.environment, cwd=self.workspace, capture_output=True, text=True, check=False, timeout=PATIENCE)
        return json.loads(made.stdout)["token"]

    def waits(self, client):
        told = client.execute(PAY)["structuredContent"]
        self.assertEqual(told.get("status"), "approval_required", told)
        return told

    def state_files(self):
        for folder, _, names in os.walk(self.root):
            for name in names:
                yield os.path.join(folder, name)


class RoleTest(TokenCase):
    def test_a_token_opens_what_its_role_says_and_nothing_else(self):
        gateway = self.gateway()
        told = self.waits(HttpClient(gateway, TOKEN))
        tokens = {role: self.token(role) for role in ["agent", "viewer", "approver", "operator"]}
        opened = {"mcp": ["agent", "operator"], "metrics": ["viewer", "approver", "operator"], "healthz": ["viewer", "approver", "operator"],
                  "api/v1/workspaces/1/audit": ["approver", "operator"],
                  "workflows": ["agent", "approver", "operator"]}
        for path, roles in opened.items():
            for role, token in [*tokens.items(), ("agent", TOKEN), ("viewer", WATCHER)]:
                method, body = ("POST", INITIALIZE) if path == "mcp" else ("GET", None)
                status = gateway.ask(method, f"/{path}", token, body)[0]
                self.assertEqual(status, 200 if role in roles else 403, f"{role} at {path}")
            self.assertEqual(gateway.ask(method, f"/{path}", "nobodys-token-0123456789", body)[0], 401)
        digest = json.loads(gateway.ask("GET", f"/{APPROVALS}/{told['approval_id']}", tokens["approver"])[2])["digest"]
        for token in [TOKEN, WATCHER, tokens["agent"], tokens["viewer"], tokens["agent"] + "x", ""]:
            self.assertIn(gateway.ask("POST", f"/{APPROVALS}/{told['approval_id']}", token, {"decision": "approve", "digest": digest})[0], [401, 403])
        self.assert_not_made("pay")
        self.assertEqual(gateway.ask("POST", f"/{APPROVALS}/{told['approval_id']}", tokens["approver"], {"decision": "approve", "digest": digest})[0], 200)

    def test_an_agents_token_answers_no_question_of_its_own_workflow(self):
        gateway = self.gateway()
        agent = HttpClient(gateway, TOKEN)
        workflow = agent.tool("run_workflow", {"workflow": {"decisions": "human", "tasks": [
            {"id": "a", "type": "mcp_tool", "tool": "bank:find", "arguments": {}},
            {"id": "b", "type": "mcp_tool", "tool": "bank:send", "arguments": {}, "dependencies": ["a"]}]}})["structuredContent"]
        digest = workflow["waitsFor"][0]["digest"]
        path = f"/workflows/{workflow['workflow_id']}"
        for body in [{"type": "continue", "digest": digest}, {"type": "approval_response", "approved": True, "digest": digest}, {"type": "skip_layer"}]:
            self.assertIn(gateway.ask("POST", path + "/commands", TOKEN, body)[0], [403, 409], body)
        self.assert_not_made("send")
        other = self.token("agent")
        self.assertEqual(json.loads(gateway.ask("GET", "/workflows", other)[2])["workflows"], [])
        for where in [path, path + "/events"]:
            self.assertEqual(gateway.ask("GET", where, other)[0], 404)
        self.assertEqual(gateway.ask("POST", path + "/commands", other, {"type": "abort"})[0], 404)
        approver = self.token("approver")
        self.assertEqual(gateway.ask("POST", path + "/commands", approver, {"type": "abort"})[0], 403)
        self.assertEqual(gateway.ask("POST", path + "/commands", approver, {"type": "approval_response", "approved": True, "digest": digest})[0], 202)

    def test_only_a_person_makes_a_token_that_answers_for_people(self):
        for role in ["approver", "operator"]:
            made = self.glovebox("token", "new", "--role", role, input="y\n1234\n", start_new_session=True)
            self.assertNotEqual(made.returncode, 0)
        self.assertEqual(json.loads(self.glovebox("token", "ls", "--json").stdout)["tokens"], [])

    def test_an_approvers_token_answers_without_a_terminal_and_no_other_does(self):
        told = self.waits(self.serve())
        self.token("agent", "--name", "robot")
        for token in [TOKEN, self.token("agent"), self.token("viewer"), "x"]:
            refused = self.glovebox("approvals", "approve", told["approval_id"], "--token", token, start_new_session=True)
            self.assertNotEqual(refused.returncode, 0)
        self.assert_not_made("pay")
        yes = self.glovebox("approvals", "approve", told["approval_id"], "--token", self.token("approver"), start_new_session=True)
        self.assertEqual(yes.returncode, 0, yes.stderr)

    def test_each_token_is_somebody(self):
        gateway = self.gateway()
        ann, ben = HttpClient(gateway, self.token("agent", "--name", "ann")), HttpClient(gateway, self.token("agent", "--name", "ben"))
        told = self.waits(ann)
        self.assertEqual(ben.tool("list_runs", {})["structuredContent"]["runs"], [])
        for tool, more in [("get_run", {}), ("cancel_run", {}), ("continue_run", {"approved": True, "approval_id": told["approval_id"]})]:
            self.assertRegex(text_of(ben.tool(tool, {"run_id": told["run_id"], **more})), "there is no (unfinished )?run")
        self.assert_not_made("pay")
        # Nor does it get the session of the other, whose id it may have seen.
        thief = HttpClient(gateway, ben.token)
        thief.headers["Mcp-Session-Id"] = ann.headers["Mcp-Session-Id"]
        self.assertEqual(thief.post("tools/list", {})[0], 404)
        # Nor does a claim to be a gateway give access to the runs of another client.
        for name, token in [("ann", ann.token), ("ben", ben.token)]:
            posing = HttpClient(gateway, token, {"Glovebox-Client-Id": "client_0123456789abcdef0123456789abcdef"})
            runs = posing.tool("list_runs", {})["structuredContent"]["runs"]
            self.assertEqual(runs, [], name)
            if name == "ann":
                self.waits(posing)
        # A new token with the same name is another client.
        self.assertEqual(self.glovebox("token", "revoke", "ann").returncode, 0)
        again = HttpClient(gateway, self.token("agent", "--name", "ann"))
        self.assertEqual(again.tool("list_runs", {})["structuredContent"]["runs"], [])


class LifetimeTest(TokenCase):
    def test_revoked_and_expired_tokens_are_unknown_at_once(self):
        gateway = self.gateway()
        expired = self.token("agent", "--expires", "1ms")
        self.assertEqual(gateway.ask("POST", "/mcp", expired, INITIALIZE)[0], 401)
        token = self.token("agent", "--name", "robot", "--expires", "30d")
        client = HttpClient(gateway, token)
        self.assertEqual(self.glovebox("token", "revoke", "robot").returncode, 0)
        self.assertEqual(client.post("tools/list", {})[0], 401)
        self.assertEqual(gateway.ask("POST", "/mcp", token, INITIALIZE)[0], 401)
        self.assertNotEqual(self.glovebox("token", "revoke", "robot").returncode, 0)
        # Tokens that were made and revoked are on record.
        events = [json.loads(line) for line in self.glovebox("audit", "--json").stdout.splitlines()]
        said = [(event["event"], event["token"].split("-")[0]) for event in events if event["event"].startswith("token.")]
        self.assertEqual(said, [("token.made", "agent"), ("token.made", "robot"), ("token.revoked", "robot")])
        self.assertEqual(self.glovebox("audit", "verify").returncode, 0)

    def test_a_token_is_kept_nowhere(self):
        token = self.token("agent")
        for path in self.state_files():
            with open(path, "rb") as file:
                self.assertNotIn(token.encode(), file.read(), path)
            if "/access/" in path:
                self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
                self.assertEqual(os.stat(os.path.dirname(path)).st_mode & 0o777, 0o700)
        self.assertNotIn(token, self.glovebox("token", "ls", "--json").stdout)

    def test_names_are_words(self):
        before = set(self.state_files())
        for name in ["../../evil", "/etc/x", "a\nb", "\x1b[31mred", "a b", "http x", "-x", "\u202eevil", "x" * 41]:
            self.assertNotEqual(self.glovebox("token", "new", "--role", "agent", f"--name={name}").returncode, 0, name)
        self.assertEqual([path for path in set(self.state_files()) - before if "evil" in path or "/access/" in path], [])

    def test_what_others_could_have_written_is_no_token(self):
        token = self.token("operator")
        folder = next(os.path.dirname(path) for path in self.state_files() if "/access/" in path)
        gateway = self.gateway()
        self.assertEqual(gateway.ask("GET", f"/{APPROVALS}", token)[0], 200)
        os.chmod(folder, 0o777)
        self.assertEqual(gateway.ask("GET", f"/{APPROVALS}", token)[0], 401)


class NewTokenTest(TokenCase):
    def test_a_log_that_others_read_has_no_token(self):
        self.config()
        gateway = self.gateway()  # whose log goes to a pipe, as to a journal
        files = []
        for line in gateway.process.stderr:
            if files := re.findall(r"token is in ([^\s\"]+)", line):
                break
        with open(files[0], encoding="utf-8") as file:
            token = file.read().strip()
        self.assertEqual(os.stat(files[0]).st_mode & 0o7777, 0o600)
        self.assertEqual(os.stat(os.path.dirname(files[0])).st_mode & 0o077, 0)
        self.assertNotIn(token, line)
        self.assertEqual(gateway.ask("POST", "/mcp", token, INITIALIZE)[0], 200)
        gateway.process.terminate()
        self.assertNotIn(token, gateway.process.stderr.read())
        self.assertFalse(os.path.exists(files[0]), "it goes with its gateway")


class ProfileTest(TokenCase):
    def test_a_token_for_some_tools_narrows_what_the_owner_allows(self):
        gateway = self.gateway()
        client = HttpClient(gateway, self.token("agent", "--tools", "bank:find", "--tools", "other"))
        self.assertIn("result", client.execute(FIND)["structuredContent"])
        for code in ["return await mcp.bank.send({})", PAY]:
            told = client.execute(code, tools=["bank"])
            self.assertNotEqual(told["structuredContent"].get("status"), "approval_required")
        client.tool("run_workflow", {"workflow": {"tasks": [{"id": "a", "type": "mcp_tool", "tool": "bank:send", "arguments": {}}]}})
        self.assertEqual({name for name, _ in self.calls()}, {"find"})
        # It is no grant: what the owner's rules ask about still needs approval.
        other = HttpClient(gateway, self.token("agent", "--tools", "bank:pay"))
        self.waits(other)
        self.assert_not_made("pay")

    def test_rules_and_limits_of_a_token_only_narrow(self):
        gateway = self.gateway()
        client = HttpClient(gateway, self.token("agent", "--ask", "bank:find", "--deny", "bank:send", "--memory", "48MB",
                                                "--calls", "2", "--runs", "1"))
        told = client.execute(FIND)["structuredContent"]
        self.assertEqual(told["status"], "approval_required", "the config allows it, the token asks")
        self.assertIn("PERMISSION_DENIED", text_of(client.execute("return await mcp.bank.send({})")))
        client.tool("run_workflow", {"workflow": {"tasks": [{"id": "a", "type": "mcp_tool", "tool": "bank:send", "arguments": {}}]}})
        self.assertEqual(self.calls(), [])
        # With nothing to reach before: a busy machine takes a moment for that.
        brief = HttpClient(gateway, self.token("agent", "--timeout", "300ms"))
        self.assertIn("limit of 300 ms", text_of(brief.execute("for (;;);", sandbox_config={"timeoutMs": 5000})))
        big = client.execute("return new Uint8Array(200 << 20).length", sandbox_config={"memoryMB": 400})
        self.assertEqual(big["structuredContent"]["error"]["code"], "MEMORY_LIMIT")
        many = client.execute("let n = 0; for (let i = 0; i < 3; i++) try { await mcp.bank.send({}) } catch (e) { if (e.code == 'TOOL_CALL_LIMIT') n++; } return n")
        self.assertEqual(many["structuredContent"]["result"], 1)
        # Only this token is narrow: the other one has what the config gives.
        self.assertIn("result", HttpClient(gateway, TOKEN).execute(FIND)["structuredContent"])
        # A value that cannot be parsed makes no token.
        for wrong in (["--ask", "bank:("], ["--timeout", "soon"], ["--memory", "0"], ["--runs", "0"]):
            self.assertNotEqual(self.glovebox("token", "new", "--role", "agent", *wrong).returncode, 0, wrong)
        self.assertNotEqual(self.glovebox("token", "new", "--role", "viewer", "--runs", "1").returncode, 0)


if __name__ == "__main__":
    unittest.main()
