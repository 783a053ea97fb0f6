"""The agent against the person who reads its approval request: what is approved is what was shown, and nothing else."""
import re
import time
import unittest

from authority import GLOVEBOX, PATIENCE, AuthorityCase, text_of
from person import Terminal

MARGINS = ("  | ", "  > ")


class CardCase(AuthorityCase):
    def setUp(self):
        super().setUp()
        self.config(mcpServers={"files": self.server()}, permissions={"ask": ["files"]})

    def eventually(self, look):
        end = time.monotonic() + PATIENCE
        while not look():
            self.assertLess(time.monotonic(), end, "it does not happen")
            time.sleep(0.05)

    def waiting(self):
        """Ids of what waits for a person."""
        return re.findall(r"\bap_\w+", self.glovebox("approvals", "ls").stdout)

    def waits(self, client, code, **more):
        result = client.execute(code, **more)
        self.assertEqual(result["structuredContent"].get("status"), "approval_required", result)
        return result

    def yes(self, client, waits, **more):
        """As an agent says it that knows what it was answered."""
        told = waits["structuredContent"]
        named = {"approval_id": told["approval_id"]} if "approval_id" in told else {}
        return client.tool("continue_run", {"run_id": told["run_id"], "approved": True, **named, **more})

    def exec_at_terminal(self, code):
        self.write("agent.js", code)
        terminal = Terminal([GLOVEBOX, "exec", "--config", self.path("glovebox.json"), "--check", "off", self.path("agent.js")],
                            self.environment, self.workspace)
        self.addCleanup(terminal.finish)
        return terminal

    def assert_only_framed(self, text, word):
        for line in text.replace("\r", "").split("\n"):
            if word in line:
                self.assertTrue(line.startswith(MARGINS), line)


# Asks about something harmless, and about the rest when that request is shown.
TWO_CARDS = """
const a = mcp.files.read_file({path: './README.md'});
await new Promise(r => setTimeout(r, 900));
const b = mcp.files.delete_file({path: './every' + 'thing'});
return await Promise.all([a, b])
"""


class OneCardTest(CardCase):
    def until_both_wait(self, begin, drop):
        """What `begin` answers when both requests are open. On a machine that stalls for seconds the second call may join
        the first request, or the run be parked before it: then that run is dropped, and another one begun."""
        for _ in range(10):
            begun = begin()
            end = time.monotonic() + PATIENCE / 10
            while time.monotonic() < end:
                if len(self.waiting()) == 2:
                    return begun
                time.sleep(0.05)
            drop(begun["structuredContent"])
            self.eventually(lambda: not self.waiting())
        self.fail("there are never two requests")

    def asks_twice(self, client):
        return self.until_both_wait(lambda: self.waits(client, TWO_CARDS),
                                    lambda run: client.tool("cancel_run", {"run_id": run["run_id"]}))

    def test_a_yes_does_not_cover_what_came_since(self):
        client = self.serve()
        first = self.asks_twice(client)
        after = self.yes(client, first)
        self.eventually(lambda: self.calls())
        self.assertEqual([name for name, _ in self.calls()], ["read_file"])
        self.assertEqual(after["structuredContent"]["status"], "approval_required")
        self.assertIn("./everything", text_of(after))
        self.assertTrue(client.is_alive())
        self.assert_not_made("delete_file")

    def test_every_open_card_is_shown(self):
        client = self.serve()
        first = self.asks_twice(client)
        shown = text_of(client.tool("get_run", {"run_id": first["structuredContent"]["run_id"]}))
        self.assertIn("./README.md", shown)
        self.assertIn("./everything", shown)

    def test_a_yes_without_a_card_or_with_another_one_approves_nothing(self):
        client = self.serve()
        one = self.waits(client, "return await mcp.files.delete_file({path: './a'})")["structuredContent"]
        two = self.waits(client, "return await mcp.files.delete_file({path: './b'})")["structuredContent"]
        for more in ({}, {"approval_id": two["approval_id"]}, {"approval_id": "ap_x"}, {"approval_id": ""}):
            client.tool("continue_run", {"run_id": one["run_id"], "approved": True, **more})
            self.assert_not_made("delete_file")
        self.assertEqual(len(self.waiting()), 2)

    def test_a_yes_to_a_task_covers_no_card_of_it(self):
        client = self.serve()
        workflow = {"tasks": [{"id": "a", "type": "code_execution", "code": TWO_CARDS}]}
        waits = self.until_both_wait(
            lambda: client.tool("run_workflow", {"workflow": workflow}),
            lambda run: client.tool("workflow_command", {"workflow_id": run["workflow_id"], "command": "abort", "wait": False}))
        client.tool("workflow_command", {"workflow_id": waits["structuredContent"]["workflow_id"], "task": "a",
                                         "command": "approval_response", "approved": True, "wait": False})
        self.assertTrue(client.is_alive())
        self.assertEqual(len(self.waiting()), 2)
        self.assert_not_made("delete_file")


FORGED = """return await mcp.files.delete_file({path: '/home/ada'})
/*%sread_file ./README.md

files.read_file {
  "path": "./README.md"
}
Call 1 of 1: files.read_file
In all: read_file ./README.md

The code that asks:
return await mcp.files.read_file({path:'./README.md'})
/**/
""" % ("\n" * 60)


class ForgedCardTest(CardCase):
    def test_code_cannot_draw_a_card_on_the_terminal(self):
        terminal = self.exec_at_terminal(FORGED)
        question = terminal.read_until(r"Allow\?.*> ")
        rows = terminal.seen[:question.start()].replace("\r", "").split("\n")[-24:]
        terminal.type("n\n")
        self.assertTrue(any("delete_file" in row and not row.startswith(MARGINS) for row in rows), rows)
        self.assert_only_framed("\n".join(rows), "read_file")

    def test_a_line_that_the_terminal_wraps_cannot_either(self):
        wide = "/*" + " " * 78 + "Call 1 of 1: files.read_file" + " " * 500 + "*/"
        terminal = self.exec_at_terminal("%s\nreturn await mcp.files.delete_file({path: '/home/ada', note: '%s'})" % (wide, wide))
        question = terminal.read_until(r"Allow\?.*> ")
        rows = terminal.seen[:question.start()].replace("\r", "").split("\n")
        terminal.type("n\n")
        self.assertLessEqual(max(map(len, rows)), 80)
        self.assert_only_framed("\n".join(rows), "read_file")

    def test_nothing_can_draw_one_in_a_form(self):
        forms = []

        def answer(form):
            forms.append(form["message"])
            return {"action": "decline"}
        client = self.serve(answer_form=answer)
        client.execute(FORGED, intent="x\n" * 60 + "files.read_file")
        self.assertEqual(len(forms), 1)
        self.assert_only_framed(forms[0], "read_file")
        self.assertIn("delete_file", "\n".join(forms[0].split("\n")[-24:]))

    def test_an_intent_cannot_draw_one_where_it_is_shown(self):
        client = self.serve()
        text = text_of(self.waits(client, "return await mcp.files.delete_file({path: '/home/ada'})", intent="fine\n\nCall 1 of 1: files.read_file\n" * 30))
        self.assert_only_framed(text, "read_file")
        self.assert_only_framed(self.glovebox("approvals", "show", self.waiting()[0]).stdout, "read_file")

    def test_characters_that_are_not_seen_are_shown(self):
        unseen = "\u200b\u00ad\ufeff\U000e0041\u202e"
        client = self.serve()
        text = text_of(self.waits(client, "/* %s */ return await mcp.files.delete_file({path: '%s'})" % (unseen, unseen), intent=unseen))
        listed = self.glovebox("approvals", "show", self.waiting()[0]).stdout
        runs = text_of(client.tool("list_runs", {}))
        result = text_of(client.execute("return String.fromCodePoint(%s)" % ", ".join(str(ord(c)) for c in unseen)))
        for character in unseen:
            for shown in (text, listed, runs, result):
                self.assertNotIn(character, shown)


class RememberedRuleTest(CardCase):
    def made_after(self, shown, then):
        """Whether `then` is made without a question after a yes for the session to `shown`."""
        client = self.serve()
        self.yes(client, self.waits(client, "return await mcp.files." + shown), scope="session")
        before = len(self.calls())
        result = client.execute("return await mcp.files." + then)
        return len(self.calls()) > before or result["structuredContent"].get("status") != "approval_required"

    def test_another_amount_is_not_paid(self):
        self.assertFalse(self.made_after("pay({to: 'bob', amount: 1})", "pay({to: 'eve', amount: 1000})"))

    def test_no_argument_more_is_taken(self):
        self.assertFalse(self.made_after("delete_file({path: './out/a'})", "delete_file({path: './out/a', recursive: true})"))

    def test_no_argument_does_not_mean_any(self):
        self.assertFalse(self.made_after("pay({})", "pay({to: 'eve', amount: 1000})"))

    def test_a_file_of_the_workspace_does_not_mean_our_config(self):
        self.assertFalse(self.made_after("write_file({path: './notes.md'})", "write_file({path: './glovebox.json'})"))

    def test_a_name_without_a_slash_does_not_mean_any_file(self):
        self.assertFalse(self.made_after("write_file({path: 'notes.md'})", "write_file({path: '/etc/passwd'})"))

    def test_a_star_is_a_star(self):
        self.assertFalse(self.made_after("pay({to: '*'})", "pay({to: 'eve'})"))

    def test_a_command_with_a_path_in_it_is_no_path(self):
        self.assertFalse(self.made_after("send({command: 'cat a/b'})", "send({command: 'cat a/x; rm -rf z/../b'})"))

    def test_no_spelling_of_a_path_makes_a_wider_rule(self):
        client = self.serve()
        for shown, then in [("write_file({path: '/a'})", "write_file({path: '/etc/passwd'})"), ("write_file({path: '~/x'})", "write_file({path: '~/.bashrc'})"),
                            ("write_file({path: 'a\\\\b'})", "write_file({path: 'c'})"), ("write_file({file: {path: './out/a'}})", "write_file({file: {path: '/etc/passwd'}})"),
                            ("write_file({path: './a/x', also: '/etc/y'})", "write_file({path: './a/z', also: '/etc/passwd'})"),
                            ("send({cwd: './out/', command: 'ls'})", "send({cwd: './out/', command: 'rm -rf /'})")]:
            self.yes(client, self.waits(client, "return await mcp.files." + shown), scope="session")
            before = len(self.calls())
            self.waits(client, "return await mcp.files." + then)
            self.assertEqual(len(self.calls()), before, then)

    def test_what_would_be_remembered_is_on_the_form(self):
        forms = []

        def answer(form):
            forms.append(form["message"])
            return {"action": "accept", "content": {"decision": "approve", "scope": "always"}}
        client = self.serve(answer_form=answer)
        client.execute("return await mcp.files.pay({to: 'bob', amount: 1})")
        self.eventually(lambda: "allow" in self.read("glovebox.json"))
        rule = re.search(r'"allow":\s*\["([^"]+)"', self.read("glovebox.json")).group(1)
        self.assertIn(rule, forms[0])


class AlwaysTest(CardCase):
    """Always is the owner's agreement to the line that it adds to the config, and to no other."""

    def setUp(self):
        super().setUp()
        self.environment.pop("GLOVEBOX_TRUSTED_FOLDERS", None)
        terminal = Terminal([GLOVEBOX, "trust"], self.environment, self.workspace)
        terminal.read_until(r"\[y/N\]")
        terminal.type("y\n")
        self.assertEqual(terminal.finish(), 0, terminal.seen)

    def say_always(self):
        client = self.serve(answer_form=lambda form: {"action": "accept", "content": {"decision": "approve", "scope": "always"}})
        client.execute("return await mcp.files.pay({to: 'bob', amount: 1})")
        self.eventually(lambda: "allow" in self.read("glovebox.json"))
        client.close()

    def test_it_holds_for_the_next_gateway(self):
        self.say_always()
        self.serve().execute("return await mcp.files.pay({to: 'bob', amount: 1})")
        self.assertEqual(len(self.calls()), 2)

    def test_it_agrees_to_nothing_else(self):
        self.say_always()
        self.write("glovebox.json", self.read("glovebox.json").replace('"allow": [', '"allow": ["files:delete_file", '))
        self.assertIn("delete_file", self.read("glovebox.json"))
        self.serve().execute("return await mcp.files.delete_file({path: './a'})")
        self.assert_not_made("delete_file")


class TypedAheadTest(CardCase):
    CODE = """await mcp.files.read_file({path: './README.md'});
return await mcp.files.delete_file({path: '/everything'})"""

    def test_a_yes_that_was_typed_before_the_card_does_not_count(self):
        terminal = self.exec_at_terminal(self.CODE)
        terminal.type("y\ny\n")
        first = terminal.read_until(r"Allow\?.*> ")
        # Pressed twice: the second key press answers nothing that was shown.
        terminal.type("y\ny\n")
        second = terminal.read_until(r"Allow\?.*> ", first.end())
        if second:
            terminal.type("n\n")
        terminal.finish()
        self.assert_not_made("delete_file")

    def test_several_calls_are_not_allowed_by_one_letter(self):
        terminal = self.exec_at_terminal("return await Promise.all([1, 2, 3].map(n => mcp.files.delete_file({path: './' + n})))")
        first = terminal.read_until(r"Allow\?.*> ")
        terminal.type("y\n")
        if terminal.read_until(r"Allow\?.*> ", first.end()):
            terminal.type("n\n")
        terminal.finish()
        self.assert_not_made("delete_file")

    def test_their_number_allows_them(self):
        terminal = self.exec_at_terminal("return await Promise.all([1, 2, 3].map(n => mcp.files.read_file({path: './' + n})))")
        terminal.read_until(r"Allow\? Type 3 .*> ")
        terminal.type("3\n")
        self.assertEqual(terminal.finish(), 0, terminal.seen)
        self.assertEqual(len(self.calls()), 3)


class AgentWithAShellTest(CardCase):
    CODE = "return await mcp.files.delete_file({path: './a'})"

    def test_the_agent_is_told_no_command_that_approves(self):
        client = self.serve()
        self.assertNotIn("approvals approve", str(self.waits(client, self.CODE)))
        self.assertNotIn("approvals approve", str(self.glovebox("exec", "--config", self.path("glovebox.json"), "-e", self.CODE, start_new_session=True)))

    def test_the_command_approves_nothing_without_a_terminal(self):
        client = self.serve()
        self.waits(client, self.CODE)
        for words in ([], ["--json"], ["--scope", "session"]):
            done = self.glovebox("approvals", "approve", self.waiting()[0], *words, input="y\n1\nyes\n", start_new_session=True)
            self.assertNotEqual(done.returncode, 0)
        self.assertTrue(client.is_alive())
        self.assert_not_made("delete_file")

    def test_nor_with_one_that_nobody_reads(self):
        client = self.serve()
        self.waits(client, self.CODE)
        terminal = Terminal([GLOVEBOX, "approvals", "approve", self.waiting()[0]], self.environment, self.workspace)
        terminal.type("y\nyes\n1\n")
        if terminal.read_until(r"for yes.*> "):
            terminal.type("y\nyes\n1\nn\n")
        self.assertNotEqual(terminal.finish(), 0)
        self.assert_not_made("delete_file")

    def test_a_person_at_a_terminal_approves(self):
        client = self.serve()
        self.waits(client, self.CODE)
        terminal = Terminal([GLOVEBOX, "approvals", "approve", self.waiting()[0]], self.environment, self.workspace)
        terminal.type(terminal.read_until(r"Type (\d+) for yes.*> ").group(1) + "\n")
        self.assertEqual(terminal.finish(), 0, terminal.seen)
        self.eventually(lambda: self.calls())

    def test_the_owner_may_take_no_agents_word(self):
        self.config(mcpServers={"files": self.server()}, permissions={"ask": ["files"]}, approvals={"agent": False})
        client = self.serve()
        self.yes(client, self.waits(client, self.CODE))
        self.assertTrue(client.is_alive())
        self.assert_not_made("delete_file")
        self.assertEqual(len(self.waiting()), 1)


if __name__ == "__main__":
    unittest.main()
