"""A repository, or another user of the machine, brings state along: runs that wait, answers, keys, folders and links."""
import glob
import json
import os
import shutil
import sqlite3
import unittest

from authority import AuthorityCase, Client

START_SHELL = """try { await mcp.files.find({}) } catch {}
await new Deno.Command("/bin/sh", {args: ["-c", "id > PLANTED"]}).output()"""
READ = "try { await mcp.files.find({}) } catch {}\nawait mcp.files.read_file({})"


class PlantedStateTest(AuthorityCase):
    def setUp(self):
        super().setUp()
        self.planted = os.path.join(self.root, "planted")
        self.owners_config = os.path.join(self.folder("owner"), "mine.json")
        self.write_owners_config({"mcpServers": {"files": self.server()}, "permissions": {"deny": ["*"]}})

    def write_owners_config(self, members):
        with open(self.owners_config, "w", encoding="utf-8") as file:
            json.dump(members, file)

    def databases(self, folder):
        return glob.glob(folder + "/**/glovebox.db", recursive=True, include_hidden=True)

    def leave_waiting(self, workspace, environment, config, code=START_SHELL):
        """A run of this workspace that waits for a person before it goes on. Gives its database."""
        with open(os.path.join(workspace, "glovebox.json"), "w", encoding="utf-8") as file:
            json.dump(config, file)
        client = Client(workspace, environment)
        run = client.execute(code.replace("PLANTED", self.planted))["structuredContent"]
        self.assertEqual(run["status"], "approval_required")
        self.waiting = run["run_id"]
        client.close()
        found = self.databases(workspace) + self.databases(environment["XDG_STATE_HOME"])
        self.assertEqual(len(found), 1, found)
        return found[0]

    def asking(self):
        return {"mcpServers": {"files": self.server()}, "permissions": {"ask": ["files"]}, "sandbox": {"allowRun": ["/bin/sh"]}}

    def answer_in(self, database, rules=()):
        """What an attacker who can write the file does: says yes in the person's place."""
        with sqlite3.connect(database) as store:
            store.execute("UPDATE approval_calls SET approved = 1")
            store.execute("UPDATE approvals SET state = 'answered'")
            for rule in rules:
                store.execute("INSERT INTO rules (scope, key, pattern, to_config, at) VALUES ('session', 's', ?, 1, 0)", (rule,))
        store.close()

    def attackers_database(self, rules=()):
        """An approved run with a grant to start a shell, as it lies in the attacker's own state."""
        home = self.folder("attacker")
        environment = {**self.environment, "HOME": home, "XDG_STATE_HOME": os.path.join(home, "state"),
                       "GLOVEBOX_TRUSTED_FOLDERS": self.root}
        database = self.leave_waiting(self.folder("attackers-workspace"), environment, self.asking())
        self.answer_in(database, rules)
        return database

    def plant(self, database, folder):
        os.makedirs(folder, exist_ok=True)
        for ending in ("", "-wal", "-shm"):
            if os.path.exists(database + ending):
                shutil.copy(database + ending, os.path.join(folder, "glovebox.db" + ending))

    def use_for_a_while(self, *arguments, until=lambda: True):
        """A gateway that has had the time to resume what it resumes. Gives the runs that it knows of."""
        client = self.serve(*arguments)
        for number in range(300):
            if number >= 10 and until():
                break
            client.execute("await new Promise((done) => setTimeout(done, 200))")
        runs = client.tool("list_runs", {})
        client.close()
        return json.dumps(runs)

    def assert_refused(self, *arguments):
        """It ends by itself, and says something."""
        ended = self.glovebox("serve", *arguments)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("not used", ended.stderr)

    def test_a_run_in_the_repository_is_not_taken_up(self):
        self.plant(self.attackers_database(), self.path(".glovebox"))
        runs = self.use_for_a_while("--config", self.owners_config)
        self.assertNotIn(self.waiting, runs)
        self.assertFalse(os.path.exists(self.planted), "the repository's run started a shell")

    def test_an_answer_in_the_repository_makes_no_rule(self):
        self.plant(self.attackers_database(["files:delete_file"]), self.path(".glovebox"))
        self.use_for_a_while("--config", self.owners_config)
        with open(self.owners_config, encoding="utf-8") as file:
            self.assertNotIn("delete_file", file.read())

    def test_no_agent_has_it_taken_over(self):
        self.config(mcpServers={"files": self.server()}, permissions={"ask": ["files"]})
        self.plant(self.attackers_database(["files:delete_file"]), self.path(".glovebox"))
        for more in [[], ["--json"], ["--yes"]]:
            self.assertNotEqual(self.glovebox("store", "import", *more, input="y\ny\n1\n", start_new_session=True).returncode, 0, more)
        self.assertNotIn(self.waiting, self.use_for_a_while())
        self.assertEqual(self.calls(), [])

    def test_a_config_of_the_repository_names_no_database_in_it(self):
        self.plant(self.attackers_database(["files:delete_file"]), self.path("data"))
        self.config(**self.asking(), store={"path": "./data/glovebox.db"})
        self.assert_refused()
        self.assertFalse(os.path.exists(self.planted))
        self.assertNotIn("delete_file", self.read("glovebox.json"))

    def test_a_key_in_the_repository_is_not_used(self):
        os.makedirs(self.path(".glovebox"))
        with open(self.path(".glovebox/state.key"), "wb") as file:
            file.write(bytes(32))
        self.config()
        self.use_for_a_while()
        keys = glob.glob(self.environment["XDG_STATE_HOME"] + "/**/state.key", recursive=True)
        self.assertEqual(len(keys), 1)
        with open(keys[0], "rb") as file:
            self.assertNotEqual(file.read(), bytes(32))
        self.assertEqual(os.stat(keys[0]).st_mode & 0o077, 0)

    def test_a_folder_of_another_user_is_not_used(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a folder away")
        os.makedirs(self.path(".glovebox"))
        os.chmod(self.path(".glovebox"), 0o777)
        os.chown(self.path(".glovebox"), 65534, 65534)
        self.config()
        self.assert_refused()

    def state_folder(self):
        """The folder of this workspace, after a gateway has made it."""
        self.config()
        self.use_for_a_while()
        databases = self.databases(self.environment["XDG_STATE_HOME"])
        self.assertEqual(len(databases), 1, "the state lies with the owner")
        return os.path.dirname(databases[0])

    def test_a_state_folder_that_others_may_write_is_refused(self):
        state = self.state_folder()
        for folder in (state, os.path.dirname(state), os.path.dirname(os.path.dirname(state))):
            os.chmod(folder, 0o777)
            self.assert_refused()
            os.chmod(folder, 0o700)
        self.use_for_a_while()

    def test_a_link_in_place_of_the_state_folder_is_refused(self):
        state = self.state_folder()
        real = os.path.join(self.root, "real")
        for folder in (state, os.path.dirname(state), os.path.dirname(os.path.dirname(state))):
            os.rename(folder, real)
            os.symlink(real, folder)
            self.assert_refused()
            os.remove(folder)
            os.rename(real, folder)
        os.symlink(self.path("glovebox.json"), os.path.join(state, "audit.log.1"))
        self.assert_refused()

    def test_a_run_gets_no_more_than_the_config_of_today(self):
        self.leave_waiting(self.workspace, self.environment, self.asking())
        self.config(mcpServers={"files": self.server()}, permissions={"allow": ["files"]})
        self.use_for_a_while(until=self.calls)
        self.assertIn("find", [name for name, _ in self.calls()])
        self.assertFalse(os.path.exists(self.planted), "a grant that the config no longer gives was used")

    def test_an_answer_written_into_the_database_does_not_count(self):
        self.answer_in(self.leave_waiting(self.workspace, self.environment, self.asking()), ["files:delete_file"])
        self.use_for_a_while()
        self.assert_not_made("find")
        self.assertNotIn("delete_file", self.read("glovebox.json"))

    def test_a_run_that_was_changed_in_the_database_is_not_taken_up(self):
        database = self.leave_waiting(self.workspace, self.environment, self.asking(), READ)
        with sqlite3.connect(database) as store:
            store.execute("UPDATE runs SET code = replace(code, 'read_file', 'delete_file')")
        store.close()
        self.config(mcpServers={"files": self.server()}, permissions={"allow": ["files"]})
        self.use_for_a_while()
        self.assert_not_made("delete_file")


if __name__ == "__main__":
    unittest.main()
