"""H: the agent, against what a person was asked about a workflow."""
import json
import time
import unittest

import authority


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
        return next(wait for wait in report["waitsFor"] if wait["kind"] == "layer")

    def test_an_agent_changes_nothing_while_a_person_is_asked(self):
        client = self.serve()
        workflow = self.begin(client)
        evil = tool("evil", "delete_file", path="/home/ada")
        for command, payload in [("modify_args", {"task": "b", "arguments": {"path": "/home/ada"}}),
                                 ("inject_tasks", {"tasks": [evil]}), ("replan_dag", {"tasks": [evil]})]:
            result = client.tool("workflow_command", {"workflow_id": workflow, "command": command, "wait": False, **payload})
            self.assertTrue(result.get("isError") or "error" in result or "code" in result, command)
        waits = self.waits(workflow)
        self.glovebox("runs", "command", workflow, "continue", json.dumps({"digest": waits.get("digest", "")}))
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
        # Somebody else who may changes the plan.
        self.glovebox("runs", "command", workflow, "modify_args", json.dumps({"task": "b", "arguments": {"path": "/home/ada"}}))
        self.wait_until(lambda: self.waits(workflow).get("digest") != seen)
        for payload in [{}, {"digest": seen}, {"digest": ""}]:
            self.glovebox("runs", "command", workflow, "continue", json.dumps(payload))
        self.glovebox("runs", "command", workflow, "approval_response", json.dumps({"approved": True, "digest": seen}))
        client.execute("1")
        self.assert_not_made("delete_file")

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
