"""The audit log is changed by one who can write in the workspace, but not read the owner's key.
`glovebox audit verify` says so."""
import glob
import hashlib
import json
import os
import re
import shutil
import unittest

from authority import AuthorityCase


class AuditTest(AuthorityCase):
    def setUp(self):
        super().setUp()
        self.config(mcpServers={"crm": self.server()}, permissions={"allow": ["crm"]})
        self.work(self.workspace, 3)

    def work(self, workspace, runs):
        client = self.serve(workspace=workspace)
        for number in range(runs):
            client.execute(f"return await mcp.crm.find({{n: {number}}})")
        client.close()

    def log(self, workspace=None):
        """The log of a workspace, wherever it is kept."""
        places = [os.path.join(workspace or self.workspace, ".glovebox"), self.environment["XDG_STATE_HOME"]]
        logs = [path for place in places for path in glob.glob(place + "/**/audit.log", recursive=True)]
        logs.sort(key=os.path.getmtime)
        return logs[-1]

    def lines(self):
        with open(self.log(), encoding="utf-8") as file:
            return file.read().splitlines()

    def put(self, lines):
        with open(self.log(), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)

    def assert_told(self, problem):
        verified = self.glovebox("audit", "verify", "--json", "--workspace", self.workspace)
        self.assertNotEqual(verified.returncode, 0, verified.stdout)
        self.assertEqual(json.loads(verified.stdout).get("problem"), problem)

    def test_a_log_that_nobody_touched_is_whole(self):
        self.assertEqual(self.glovebox("audit", "verify").returncode, 0)

    def test_the_end_is_not_cut_off_unnoticed(self):
        self.put(self.lines()[:-4])
        self.assert_told("cut")

    def test_a_cut_is_not_forgotten_when_the_log_grows_again(self):
        self.put(self.lines()[:-4])
        self.work(self.workspace, 3)
        self.assert_told("missing")

    def test_a_log_is_not_emptied_unnoticed(self):
        self.put([])
        self.assert_told("emptied")
        self.work(self.workspace, 3)
        self.assert_told("emptied")

    def test_a_log_is_not_removed_unnoticed(self):
        os.unlink(self.log())
        self.assert_told("emptied")

    def test_the_log_of_another_workspace_does_not_pass(self):
        other = self.folder("other")
        shutil.copy(self.path("glovebox.json"), other)
        mine = self.log()
        self.work(other, 9)
        theirs = self.log(other)
        self.assertNotEqual(mine, theirs)
        shutil.copy(theirs, mine)
        self.assert_told("replaced")

    def test_hashes_that_are_computed_anew_do_not_pass(self):
        for member in ("hmac", "hash"):
            with self.subTest(member=member):
                lines = self.lines()
                at = next(i for i, line in enumerate(lines) if '"call.begun"' in line)
                previous = json.loads(lines[at - 1]).get("hmac") or json.loads(lines[at - 1])["hash"]
                lines[at] = lines[at].replace("crm:find", "crm:none")
                for i in range(at, len(lines)):
                    covered = re.sub(r',"(hash|hmac)":"[0-9a-f]{64}"}$', "", lines[i])
                    covered = re.sub(r'"prev":"[0-9a-f]{64}"', f'"prev":"{previous}"', covered, count=1)
                    previous = hashlib.sha256(covered.encode()).hexdigest()
                    lines[i] = f'{covered},"{member}":"{previous}"}}'
                self.put(lines)
                self.assert_told("recomputed")

    def test_a_head_that_the_owner_kept_is_missed(self):
        verified = self.glovebox("audit", "verify", "--json")
        head = json.loads(verified.stdout)["head"]
        self.assertEqual(self.glovebox("audit", "verify", "--head", head).returncode, 0)
        for path in (self.log(), *glob.glob(os.path.dirname(self.log()) + "/glovebox.db*")):
            os.unlink(path)
        self.work(self.workspace, 1)
        self.assertNotEqual(self.glovebox("audit", "verify", "--head", head).returncode, 0)

    def test_the_key_is_not_in_the_workspace(self):
        keys = glob.glob(self.environment["XDG_STATE_HOME"] + "/glovebox/**/audit.key", recursive=True)
        self.assertEqual(len(keys), 1)
        self.assertEqual(os.stat(keys[0]).st_mode & 0o777, 0o600)
        self.assertEqual(glob.glob(self.workspace + "/**/audit.key", recursive=True, include_hidden=True), [])

    def test_a_config_is_not_changed_without_a_record(self):
        client = self.serve()
        self.config(mcpServers={"crm": self.server()}, permissions={"allow": ["crm", "*"]})
        for _ in range(600):  # the file is polled
            if "config.changed" in "".join(self.lines()):
                break
            client.is_alive()
            client.execute("await new Promise((r) => setTimeout(r, 100))")
        client.close()
        changed = [json.loads(line) for line in self.lines() if '"event":"config.changed"' in line]
        loaded = [json.loads(line) for line in self.lines() if '"event":"config.loaded"' in line]
        self.assertEqual(len(changed), 1)
        self.assertEqual(changed[0]["from"], loaded[-1]["digest"])
        self.assertEqual(changed[0]["to"], hashlib.sha256(self.read("glovebox.json").encode()).hexdigest())

    def test_a_program_is_written_down_once(self):
        client = self.serve()
        before = sum(map(len, self.lines()))
        code = "return 1 // " + "x" * 200_000
        for _ in range(5):
            client.execute(code)
        client.close()
        self.assertLess(sum(map(len, self.lines())) - before, 2 * len(code))


if __name__ == "__main__":
    unittest.main()
