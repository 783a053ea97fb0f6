"""H: the agent, against what a person was asked about a workflow."""
import json
import time
import unittest

import authority
from person import Terminal


def tool(name, what, dependencies=(), **arguments):
    return {"id": name, "type": "mcp_tool", "tool": f"files:{what}", "arguments": arguments, "dependencies": list(dependencies)}


class WorkflowQuestionTest(authority.AuthorityCase):
    def setUp(self):
        super().setUp()
        self.config(mcpServers={"files": self.server()}, permissions={"allow": ["files"]})

    def begin(self, client):
        """A workflow that waits for a person before it deletes ./b."""
        answer = client.tool("run_workflow", {"workflow": {"decisions": "human", "tasks": [
            tool("a", "read_file", path="./a"), tool("b", "delete_file", ["a"], path="./b")]}})
        workflow = answer.get("structuredContent") or self.fail(answer)
        self.assertEqual(workflow["status"], "decision_required", answer)
        return workflow["workflow_id"]

    def waits(self, workflow):
        report = json.loads(self.glovebox("runs", "show", workflow, "--json").stdout)
        return next((wait for wait in report["waitsFor"] if wait["kind"] == "layer"), {})

    def say_yes(self, workflow):
        """At a terminal, once the question is shown."""
        terminal = Terminal([authority.GLOVEBOX, "runs", "resume", workflow], self.environment, self.workspace)
        terminal.read_until(r"\[y\]es.*> ")
        terminal.type("y\n")
        terminal.finish()

    def command(self, client, workflow, name, **more):
        return client.tool("workflow_command", {"workflow_id": workflow, "command": name, **more})

    def test_an_agent_changes_nothing_while_a_person_is_asked(self):
        client = self.serve()
        workflow = self.begin(client)
        evil = tool("evil", "delete_file", path="/home/ada")
        for command, payload in [("modify_args", {"task": "b", "arguments": {"path": "/home/ada"}}),
                                 ("inject_tasks", {"tasks": [evil]}), ("replan_dag", {"tasks": [evil]})]:
            result = client.tool("workflow_command", {"workflow_id": workflow, "command": command, "wait": False, **payload})
            self.assertTrue(result.get("isError") or "error" in result or "code" in result, command)
        self.say_yes(workflow)
        self.wait_for_end(workflow)
        self.assertEqual(self.calls(), [("read_file", {"path": "./a"}), ("delete_file", {"path": "./b"})])

    def test_the_question_names_the_tasks_and_their_arguments(self):
        client = self.serve()
        workflow = self.begin(client)
        shown = self.glovebox("runs", "show", workflow).stdout
        self.assertIn("delete_file", shown)
        self.assertIn("./b", shown)
        self.assertEqual(self.waits(workflow)["tasks"][0]["arguments"], {"path": "./b"})

    def test_a_yes_is_for_the_tasks_that_were_shown(self):
        client = self.serve()
        workflow = self.begin(client)
        seen = self.waits(workflow).get("digest", "")
        # Another client that is allowed to changes the plan.
        self.glovebox("runs", "command", workflow, "modify_args", json.dumps({"task": "b", "arguments": {"path": "/home/ada"}}))
        self.wait_until(lambda: self.waits(workflow).get("digest") != seen)
        for payload in [{}, {"digest": seen}, {"digest": ""}]:
            self.glovebox("runs", "command", workflow, "continue", json.dumps(payload))
        self.glovebox("runs", "command", workflow, "approval_response", json.dumps({"approved": True, "digest": seen}))
        client.execute("1")
        self.assert_not_made("delete_file")

    def test_a_command_without_a_terminal_is_no_yes(self):
        client = self.serve()
        workflow = self.begin(client)
        said = {"digest": self.waits(workflow).get("digest", "")}
        for name, payload in [("continue", said), ("approval_response", {"approved": True, **said}), ("skip_layer", {})]:
            self.glovebox("runs", "command", workflow, name, json.dumps(payload), start_new_session=True)
        client.execute("1")
        client.close()
        # Nor does it count when no gateway drives the workflow.
        self.glovebox("runs", "command", workflow, "continue", json.dumps(said), start_new_session=True)
        self.glovebox("runs", "resume", workflow, start_new_session=True)
        self.assert_not_made("delete_file")

    def test_a_yes_is_no_yes_to_a_fork_with_other_arguments(self):
        client = self.serve()
        workflow = self.begin(client)
        self.say_yes(workflow)
        self.wait_for_end(workflow)
        for checkpoint in client.tool("get_run", {"run_id": workflow})["structuredContent"]["checkpoints"]:
            self.command(client, workflow, "fork", checkpoint=checkpoint["checkpoint"], args={"b": {"path": "/home/ada"}})
        self.assertEqual([call for call in self.calls() if call[0] == "delete_file"], [("delete_file", {"path": "./b"})])

    def test_a_yes_is_no_yes_to_what_an_agent_goes_back_to(self):
        client = self.serve()
        workflow = self.begin(client)
        self.say_yes(workflow)
        self.wait_for_end(workflow)
        for checkpoint in reversed(client.tool("get_run", {"run_id": workflow})["structuredContent"]["checkpoints"]):
            # Back to where ./a was read, or else to the very beginning: then it is asked again.
            self.command(client, workflow, "rollback", checkpoint=checkpoint["checkpoint"])
            self.command(client, workflow, "modify_args", task="b", arguments={"path": "/home/ada"})
            self.command(client, workflow, "continue")
        deleted = [call for call in self.calls() if call[0] == "delete_file"]
        self.assertEqual(deleted, [("delete_file", {"path": "./b"})])

    def test_resume_without_a_terminal_is_no_yes(self):
        client = self.serve()
        workflow = self.begin(client)
        resumed = self.glovebox("runs", "resume", workflow, start_new_session=True)
        self.assertEqual(resumed.returncode, 6, resumed.stdout + resumed.stderr)
        self.assertIn("./b", resumed.stdout + resumed.stderr)
        self.assert_not_made("delete_file")

    def wait_until(self, is_so):
        for _ in range(600):
            if is_so():
                return
            time.sleep(0.1)
        self.fail("it did not happen")

    def wait_for_end(self, workflow):
        self.wait_until(lambda: json.loads(self.glovebox("runs", "show", workflow, "--json").stdout)["status"] == "finished")


if __name__ == "__main__":
    unittest.main()
