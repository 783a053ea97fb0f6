"""An agent whose code carries data out by what it calls things: names of tools that are not there, names of members, glued values."""
import glob
import http.server
import threading
import unittest

from authority import PATIENCE, AuthorityCase

DENY = [{"from": "crm:*", "to": "slack:*", "action": "deny"}]


class Collector(http.server.BaseHTTPRequestHandler):
    """An OTLP collector that keeps what it receives."""
    bodies, arrived = [], threading.Condition()

    @classmethod
    def received(cls):
        return b"".join(cls.bodies).decode()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.arrived:
            self.bodies.append(body)
            self.arrived.notify_all()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


class InventedNameTest(AuthorityCase):
    def setUp(self):
        super().setUp()
        collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
        self.addCleanup(collector.server_close)
        self.addCleanup(collector.shutdown)
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        self.config(mcpServers={"crm": self.server()}, permissions={"allow": ["crm"]},
                    observe={"otlp": f"http://127.0.0.1:{collector.server_port}"})
        Collector.bodies.clear()
        client = self.serve()
        result = client.execute("""
            const found = await mcp.crm.find({});
            for (const name of [found.mail + ' hunter2', 'x'.repeat(500)]) await mcp.crm[name]({}).catch(() => 0);
            await mcp[found.mail]?.hunter2({}).catch(() => 0);""")
        self.run_id = result["structuredContent"]["run_id"]
        # A gateway that ends does not wait for its collector.
        with Collector.arrived:
            self.assertTrue(Collector.arrived.wait_for(lambda: "find" in Collector.received(), PATIENCE), "there are no spans")
        client.close()

    def test_do_not_leave_in_spans(self):
        shown = self.glovebox("trace", "show", self.run_id, "--json", "--workspace", self.workspace).stdout
        for spans in (Collector.received(), shown):
            self.assertIn("find", spans)  # the trace is there
            self.assertIn("unknown", spans)
            for word in ("bob@example", "hunter2", "xxxx"):
                self.assertNotIn(word, spans)

    def test_are_filtered_and_cut_in_the_audit_log(self):
        logs = [path for place in (self.workspace, self.root) for path in glob.glob(place + "/**/audit.log", recursive=True, include_hidden=True)]
        with open(logs[0], encoding="utf-8") as file:
            lines = [line for line in file if '"event":"call.refused"' in line]
        self.assertTrue(lines)
        for line in lines:
            self.assertNotIn("bob@example.com", line)
            self.assertNotIn("x" * 100, line)


class FlowTest(AuthorityCase):
    def setUp(self):
        super().setUp()
        self.config(mcpServers={"crm": self.server(), "slack": self.server()}, permissions={"allow": ["crm", "slack"]}, flows=DENY)
        self.client = self.serve()

    def send(self, arguments):
        self.client.execute(f"const v = await mcp.crm.find({{}}); return await mcp.slack.send({arguments})")

    def test_a_value_does_not_pass_as_a_key(self):
        self.send("{[v.mail]: 1}")
        self.assert_not_made("send")

    def test_a_value_does_not_pass_as_a_nested_key(self):
        self.send("{a: [{b: {[v.mail]: 1}}]}")
        self.assert_not_made("send")

    def test_a_value_does_not_pass_within_a_longer_word(self):
        self.send("{text: 'xyz' + v.mail + 'xyz'}")
        self.assert_not_made("send")

    def test_a_value_does_not_pass_with_something_between_its_letters(self):
        self.send("{text: [...v.mail].join('-')}")
        self.assert_not_made("send")

    def test_what_carries_nothing_is_made(self):
        self.send("{text: 'hello'}")
        self.assertIn("send", [name for name, _ in self.calls()])


if __name__ == "__main__":
    unittest.main()
