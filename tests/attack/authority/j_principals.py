"""J: a client, against what belongs to another client: its runs, workflows, answers and the rules that its person made."""
import json
import threading
import time
import unittest

from authority import AuthorityCase, text_of
from http_client import Gateway, HttpClient

TOKEN = "a-token-of-some-length-0123456789"
PAY = "return await mcp.bank.pay({to: 'bob', sum: 1})"
# Runs that last until somebody ends them, however slow the machine is.
UNTIL_CANCELLED = {"timeoutMs": 3600000}


class PrincipalsCase(AuthorityCase):
    def setUp(self):
        super().setUp()
        self.config(mcpServers={"bank": self.server()}, permissions={"ask": ["bank:pay"], "allow": ["bank:find"]}, http={"token": TOKEN})

    def gateway(self):
        gateway = Gateway(self.workspace, self.environment)
        self.addCleanup(gateway.close)
        return gateway

    def waits(self, client):
        told = client.execute(PAY)["structuredContent"]
        self.assertEqual(told.get("status"), "approval_required", told)
        return told

    def yes(self, client, told, **more):
        return client.tool("continue_run", {"run_id": told["run_id"], "approval_id": told["approval_id"], "approved": True, **more})

    def pending(self):
        return [card["id"] for card in json.loads(self.glovebox("approvals", "ls", "--json").stdout)["approvals"]]

    def assert_unanswered(self, told):
        self.assertIn(told["approval_id"], self.pending())
        self.assert_not_made("pay")


def client_id(name):
    return {"Glovebox-Client-Id": f"client-{name}-0123456789"}


class OtherClientTest(PrincipalsCase):
    """Over HTTP, two clients that say who they are."""

    def setUp(self):
        super().setUp()
        gateway = self.gateway()
        self.ann = HttpClient(gateway, TOKEN, client_id("ann"))
        self.ben = HttpClient(gateway, TOKEN, client_id("ben"))

    def same_as_unknown(self, tool, key, known, unknown, **more):
        """Another's is answered as one that was never there."""
        said = text_of(self.ben.tool(tool, {key: known, **more}))
        self.assertEqual(said.replace(known, "ID"), text_of(self.ben.tool(tool, {key: unknown, **more})).replace(unknown, "ID"), tool)

    def test_runs_of_another_do_not_exist(self):
        told = self.waits(self.ann)
        run = told["run_id"]
        self.assertEqual(self.ben.tool("list_runs", {})["structuredContent"]["runs"], [])
        for tool, more in [("get_run", {}), ("cancel_run", {}), ("continue_run", {"approved": True, "approval_id": told["approval_id"]}),
                           ("continue_run", {"approved": False})]:
            self.same_as_unknown(tool, "run_id", run, "run_0000000000000000", **more)
        self.assert_unanswered(told)
        self.assertEqual(self.ann.tool("get_run", {"run_id": run})["structuredContent"]["status"], "approval_required")
        self.yes(self.ann, told)
        self.assertEqual(self.calls(), [("pay", {"to": "bob", "sum": 1})])

    def test_artifacts_of_another_do_not_exist(self):
        told = self.ann.execute("emit('secret.txt', 'of ann'); return 1")["structuredContent"]
        uri = f"glovebox://runs/{told['run_id']}/artifacts/{told['artifacts'][0]['name']}"
        self.assertEqual(self.ann.request("resources/read", {"uri": uri})["result"]["contents"][0]["text"], "of ann")
        refused = self.ben.request("resources/read", {"uri": uri})["error"]
        unknown = self.ben.request("resources/read", {"uri": uri.replace(told["run_id"], "run_0000000000000000")})["error"]
        self.assertEqual({**refused, "data": None}, {**unknown, "data": None})

    def test_workflows_of_another_do_not_exist(self):
        workflow = self.ann.tool("run_workflow", {"workflow": {"tasks": [
            {"id": "a", "type": "mcp_tool", "tool": "bank:pay", "arguments": {"to": "bob"}}]}})["structuredContent"]
        self.assertEqual(workflow["status"], "approval_required")
        self.assertEqual(self.ben.tool("list_runs", {})["structuredContent"]["workflows"], [])
        approval = workflow["waitsFor"][0]["approval"]
        self.same_as_unknown("get_run", "run_id", workflow["workflow_id"], "wf_0000000000000000")
        for command, more in [("approval_response", {"approved": True, "approval": approval}), ("abort", {}), ("pause", {}), ("fork", {}),
                              ("rollback", {"checkpoint": 1}), ("modify_args", {"task": "a", "arguments": {"to": "eve"}})]:
            self.same_as_unknown("workflow_command", "workflow_id", workflow["workflow_id"], "wf_0000000000000000", command=command, **more)
        self.assert_unanswered({"approval_id": approval})
        self.assertEqual(self.ann.tool("get_run", {"run_id": workflow["workflow_id"]})["structuredContent"]["status"], "approval_required")


class OtherConversationTest(PrincipalsCase):
    """One client, several conversations."""

    def test_for_this_session_is_for_one_conversation(self):
        gateway = self.gateway()
        ann, ben = HttpClient(gateway, TOKEN), HttpClient(gateway, TOKEN)
        self.yes(ann, self.waits(ann), scope="session")
        self.assertEqual(len(self.calls()), 1)
        self.waits(ben)
        self.assertEqual(len(self.calls()), 1, "nobody asked the person of the other conversation")
        self.assertNotIn("status", ann.execute(PAY)["structuredContent"])
        self.assertEqual(len(self.calls()), 2)

    def test_a_yes_comes_from_the_conversation_that_asked(self):
        gateway = self.gateway()
        ann, ben = HttpClient(gateway, TOKEN), HttpClient(gateway, TOKEN)
        told = self.waits(ann)
        self.assertTrue(self.yes(ben, told).get("isError"))
        self.assert_unanswered(told)
        # The run is the client's own, so it can be answered after its conversation has ended.
        self.assertIn(told["run_id"], json.dumps(ben.tool("list_runs", {})))
        self.assertEqual(ann.end(), 200)
        self.yes(ben, told)
        self.assertEqual(len(self.calls()), 1)

    def test_a_second_gateway_answers_nothing_for_the_first(self):
        one, two = self.serve(), self.serve()
        told = self.waits(one)
        for approved in [True, False]:
            self.assertTrue(two.tool("continue_run", {"run_id": told["run_id"], "approval_id": told["approval_id"], "approved": approved}).get("isError"))
        self.assert_unanswered(told)
        self.yes(one, told)
        self.assertEqual(len(self.calls()), 1)

    def test_after_a_restart_a_client_finds_what_is_its_own(self):
        first = self.serve()
        told = self.waits(first)
        first.close()
        again = self.serve()
        self.assertEqual(again.tool("get_run", {"run_id": told["run_id"]})["structuredContent"]["status"], "approval_required")
        self.yes(again, told)
        self.assertEqual(len(self.calls()), 1)


class ShareTest(PrincipalsCase):
    def running(self, client, count):
        while len(runs := client.tool("list_runs", {"status": "running"})["structuredContent"]["runs"]) < count:
            time.sleep(0.05)
        return [run["run_id"] for run in runs]

    def test_one_client_does_not_take_the_room_of_another(self):
        self.config(http={"token": TOKEN}, limits={"runsPerClient": 2}, sandbox=UNTIL_CANCELLED)
        gateway = self.gateway()
        other = json.loads(self.glovebox("token", "new", "--role", "agent", "--json").stdout)["token"]
        ann = HttpClient(gateway, TOKEN, client_id("ann"))
        busy = [threading.Thread(target=HttpClient(gateway, TOKEN, client_id("ann")).execute, args=("await new Promise(() => setTimeout(() => {}, 1e6))",)) for _ in range(2)]
        for thread in busy:
            thread.start()
        running = self.running(ann, 2)
        self.assertEqual(ann.execute("return 1")["structuredContent"]["error"]["code"], "TOO_MANY_RUNS")
        # Another name for the same token is not another client.
        self.assertEqual(HttpClient(gateway, TOKEN, client_id("ben")).execute("return 1")["structuredContent"]["error"]["code"], "TOO_MANY_RUNS")
        self.assertEqual(HttpClient(gateway, other).execute("return 1")["structuredContent"]["result"], 1)
        for run in running:
            ann.tool("cancel_run", {"run_id": run})
        for thread in busy:
            thread.join()
        self.assertEqual(ann.execute("return 1")["structuredContent"]["result"], 1)

    def test_a_client_leaves_only_so_many_runs_waiting(self):
        self.config(mcpServers={"bank": self.server()}, permissions={"ask": ["bank:pay"]}, http={"token": TOKEN}, limits={"waitingRunsPerClient": 2})
        gateway = self.gateway()
        other = json.loads(self.glovebox("token", "new", "--role", "agent", "--json").stdout)["token"]
        ann, ben = HttpClient(gateway, TOKEN, client_id("ann")), HttpClient(gateway, TOKEN, client_id("ben"))
        first = self.waits(ann)
        self.waits(ben)
        # Another name for the same token is not another client.
        for client in (ann, ben, HttpClient(gateway, TOKEN, client_id("cem"))):
            error = client.execute(PAY)["structuredContent"]["error"]
            self.assertIn("limits.waitingRunsPerClient", error["message"])
        self.assertEqual(len(self.pending()), 2)
        self.waits(HttpClient(gateway, other))
        # What asks nothing still runs, and an answer makes room.
        self.assertEqual(ann.execute("return 1")["structuredContent"]["result"], 1)
        self.yes(ann, first)
        self.waits(ben)

    def test_a_client_with_many_runs_in_line_delays_itself(self):
        self.config(http={"token": TOKEN}, limits={"runs": 1}, sandbox=UNTIL_CANCELLED)
        gateway = self.gateway()
        other = json.loads(self.glovebox("token", "new", "--role", "agent", "--json").stdout)["token"]
        ann, ben = HttpClient(gateway, TOKEN), HttpClient(gateway, other)
        ended, threads = [], []

        def begin(token, name, milliseconds):
            def run():
                HttpClient(gateway, token).execute(f"await new Promise((r) => setTimeout(r, {milliseconds}))")
                ended.append(name)
            threads.append(threading.Thread(target=run))
            threads[-1].start()

        def before(client, run):
            while (told := client.tool("get_run", {"run_id": run})["structuredContent"].get("inLine")) is None:
                time.sleep(0.05)
            return told["before"]
        begin(TOKEN, "first", 1e6)
        first = self.running(ann, 1)[0]
        # All are different: equal ones would wait for one result.
        for i in range(4):
            begin(TOKEN, "ann", 300 + i)
        waiting = [run for run in self.running(ann, 5) if run != first]
        begin(other, "ben", 1)
        last = self.running(ben, 1)[0]
        self.assertEqual(before(ben, last), 4)
        self.assertEqual(sorted(before(ann, run) for run in waiting), [0, 1, 2, 3])
        ann.tool("cancel_run", {"run_id": first})
        for thread in threads:
            thread.join()
        self.assertLessEqual(ended.index("ben"), 2, ended)


if __name__ == "__main__":
    unittest.main()
