"""H: the agent's code within its limits, against the gateway that runs it and the other clients that it serves."""
import contextlib
import json
import os
import time
import unittest

import authority

A_MILLION_LINES = "for (let i = 0; i < 1048000; i++) console.log('')"


class FloodTest(authority.AuthorityCase):
    def memory_mb(self, client, which="VmHWM"):
        with open(f"/proc/{client.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(which)) // 1024

    def serve_with_all_loaded(self):
        """A gateway that has loaded all that it loads once: the first runs map the weights of the search, at any time."""
        client = self.serve()
        self.assertFalse(client.tool("search_tools", {"intent": "send a mail"}).get("isError"))
        self.assertFalse(client.execute("1").get("isError"))
        return client

    def test_a_million_log_lines_end_nothing_but_themselves(self):
        client = self.serve_with_all_loaded()
        before = self.memory_mb(client)
        innocent = client.begin_tool("execute_code", {"code": "await new Promise((r) => setTimeout(r, 1000)); return 'innocent'",
                                                      "check": "off"})
        flood = client.begin_tool("execute_code", {"code": A_MILLION_LINES, "check": "off"}, {"progressToken": 1})
        self.assertTrue(client.is_alive())
        result = client.wait(flood)["result"]
        self.assertIn("innocent", authority.text_of(client.wait(innocent)["result"]))
        self.assertTrue(client.is_alive())
        self.assertLess(self.memory_mb(client), before + 40, "the gateway pays for what a guest printed")
        self.assertTrue(result["_meta"]["glovebox/run"]["metrics"]["logsTruncated"])
        self.assertLessEqual(len(result["structuredContent"]["logs"]), 10_001)

    def test_large_results_do_not_stay_in_memory(self):
        client = self.serve_with_all_loaded()
        before = self.memory_mb(client, "RssAnon")
        # 28 MB each, as text and as JSON.
        for number in range(3):
            result = client.execute(f"return '{number}' + 'x'.repeat(14e6)", result_bytes=20_000_000)
            self.assertEqual(len(result["structuredContent"]["result"]), 14_000_001)
        for _ in range(600):
            if self.memory_mb(client, "RssAnon") < before + 30:
                return
            time.sleep(0.1)
        self.fail("they stay")

    def test_lines_are_joined(self):
        client = self.serve()
        answer = client.tool("execute_code", {"code": "for (let i = 0; i < 5000; i++) console.log('line ' + i)", "check": "off"},
                             {"progressToken": 1})
        self.assertFalse(answer.get("isError"))
        progress = [n["params"] for n in client.notifications if n["method"] == "notifications/progress"]
        lines = "\n".join(n.get("message", "") for n in progress).split("\n")
        self.assertLess(len(progress), 1000, "each line was a notification")
        self.assertIn("line 0", lines)
        self.assertEqual(sorted(n["progress"] for n in progress), [n["progress"] for n in progress])

    def test_a_client_that_does_not_read_loses_answers_and_not_the_gateway(self):
        client = self.serve()
        # The client reads nothing while more results are produced than may be queued for it.
        numbers = range(101, 107)
        with client.arrived:
            for number in numbers:
                client.send({"id": number, "method": "tools/call", "params": {"name": "execute_code", "arguments": {
                    "check": "off", "code": "return 'x'.repeat(14e6)", "result_bytes": 20_000_000}}})
            self.wait_for_finished_runs(len(numbers))
        for number in numbers:
            answer = client.wait(number)
            self.assertTrue("result" in answer or "get_run" in json.dumps(answer["error"]))
        self.assertTrue(client.is_alive())

    def test_a_run_that_waits_gives_its_process_back_however_busy_it_keeps_itself(self):
        self.config(mcpServers={"files": self.server()}, permissions={"ask": ["files"]})
        client = self.serve()
        waits = client.execute("setInterval(() => {}, 1); return await mcp.files.pay({ amount: 1 })")
        self.assertEqual(waits["structuredContent"]["status"], "approval_required")
        self.wait_for_audit_record("run.parked")
        self.assertTrue(client.is_alive())

    def wait_for_audit_record(self, event):
        for _ in range(300):
            for folder, _, names in os.walk(self.root):
                for name in names:
                    if "audit" not in name:
                        continue
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                        if event in file.read():
                            return
            time.sleep(0.2)
        self.fail(f"there is no {event}")

    def test_guests_go_first_where_memory_is_short(self):
        client = self.serve()
        self.assertFalse(client.execute("1").get("isError"))
        scores = []
        for pid in self.descendants(client.process.pid):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                scores.append(self.score(pid))
        self.assertIn(1000, scores)
        self.assertEqual(self.score(client.process.pid), self.score("self"))

    def score(self, pid):
        with open(f"/proc/{pid}/oom_score_adj", encoding="ascii") as file:
            return int(file.read())

    def descendants(self, pid):
        """Those that live. Threads and guests end at any time, and others take their place."""
        found = []
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                    with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                        for child in file.read().split():
                            found += [child, *self.descendants(child)]
        return found

    def test_runs_beyond_the_total_wait_in_line(self):
        self.config(mcpServers={"files": self.server()}, permissions={"allow": ["files"]},
                    limits={"runs": 2, "memoryMB": 600}, sandbox={"memoryMB": 512})
        client = self.serve()
        code = "await mcp.files.find({}); await new Promise((r) => setTimeout(r, 300)); await mcp.files.send({})"
        numbers = [client.begin_tool("execute_code", {"code": code, "check": "off"}) for _ in range(4)]
        for number in numbers:
            self.assertFalse(client.wait(number)["result"].get("isError"))
        # 512 MB each, of 600: one at a time.
        self.assertEqual([tool for tool, _ in self.calls()], ["find", "send"] * 4)

    def wait_for_finished_runs(self, count):
        for _ in range(300):
            listed = json.loads(self.glovebox("runs", "ls", "--json").stdout or "{}")
            if sum(run["status"] == "finished" for run in listed.get("runs", [])) >= count:
                return
            time.sleep(0.2)
        self.fail("the runs do not come to their end")


if __name__ == "__main__":
    unittest.main()
