"""What an agent asks for narrows what the owner gives and never adds to it: `sandbox_config`, `check`, `tools`. No run
writes Glovebox's own files, and no rule with a condition lets a tool do it."""
import json
import os
import shutil
import socket
import subprocess

from authority import GLOVEBOX, AuthorityCase, text_of

EVIL = json.dumps({"sandbox": {"allowRun": ["/bin/sh"]}})


def write(path):
    return f"await Deno.writeTextFile({json.dumps(path)}, {json.dumps(EVIL)})"


class RequestTest(AuthorityCase):
    def setUp(self):
        super().setUp()
        self.write("../outside/secret.txt", "canary")

    def outside(self):
        with open(os.path.join(self.root, "outside/secret.txt"), encoding="utf-8") as file:
            return file.read()

    def serve_with_all_of_the_workspace(self):
        self.config(sandbox={"allowRead": ["."], "allowWrite": ["."]})
        return self.serve()

    def link_out(self):
        os.makedirs(self.path("data"), exist_ok=True)
        os.symlink(os.path.join(self.root, "outside"), self.path("data/link"))
        self.config(sandbox={"allowRead": ["./data"], "allowWrite": ["./data"]})
        return self.serve()

    def test_naming_the_config_does_not_make_it_writable(self):
        agent = self.serve_with_all_of_the_workspace()
        before = self.read("glovebox.json")
        agent.execute(write(self.path("glovebox.json")), sandbox_config={"allowWrite": [self.path("glovebox.json")]})
        self.assertEqual(self.read("glovebox.json"), before)

    def test_no_way_round_writes_the_config(self):
        agent = self.serve_with_all_of_the_workspace()
        before = self.read("glovebox.json")
        self.write("sub/glovebox.json", EVIL)
        self.write("other.json", EVIL)
        config, here = self.path("glovebox.json"), self.workspace
        for code in (f"await Deno.rename({self.path('other.json')!r}, {config!r})",
                     f"await Deno.copyFile({self.path('other.json')!r}, {config!r})",
                     f"await Deno.rename({config!r}, {self.path('away')!r})",
                     f"await Deno.remove({config!r})",
                     f"await Deno.rename({self.path('sub/glovebox.json')!r}, {config!r})",
                     f"await Deno.rename({self.path('sub')!r}, {self.path('moved')!r})",
                     f"await Deno.writeTextFile({os.path.join(here, 'sub/../glovebox.json')!r}, '{{}}')"):
            for asked in ([here], [config, self.path("other.json"), self.path("sub"), self.path("moved"), self.path("away")]):
                agent.execute(code, sandbox_config={"allowRead": asked, "allowWrite": asked})
        self.assertEqual(self.read("glovebox.json"), before)
        self.assertTrue(os.path.exists(self.path("sub/glovebox.json")))

    def test_hooks_and_start_up_files_stay_what_they_are(self):
        agent = self.serve_with_all_of_the_workspace()
        os.makedirs(self.path(".git/hooks"))
        for name in (".git/hooks/pre-commit", ".bashrc", ".glovebox/planted", ".ssh/authorized_keys"):
            path = self.path(name)
            folder = os.path.dirname(path)
            agent.execute(f"await Deno.mkdir({folder!r}, {{recursive: true}}).catch(() => 0); " + write(path),
                          sandbox_config={"allowRead": [folder, path], "allowWrite": [folder, path]})
            self.assertFalse(os.path.exists(path), name)

    def test_naming_a_link_does_not_follow_it_out_of_the_grant(self):
        agent = self.link_out()
        for asked in ("data/link", "data/link/secret.txt"):
            path = self.path(asked)
            target = self.path("data/link/secret.txt")
            answer = agent.execute(f"return await Deno.readTextFile({target!r})", sandbox_config={"allowRead": [path]})
            self.assertNotIn("canary", text_of(answer))
            agent.execute(write(target), sandbox_config={"allowWrite": [path]})
            agent.execute(write(self.path("data/link/new.txt")), sandbox_config={"allowWrite": [path]})
        self.assertEqual(self.outside(), "canary")
        self.assertEqual(os.listdir(os.path.join(self.root, "outside")), ["secret.txt"])

    def test_where_a_link_leads_is_for_the_owner_alone(self):
        agent, where = self.link_out(), os.path.join(self.root, "outside")
        code = "try { await Deno.readTextFile('data/link/secret.txt') } catch (error) { return error.message + error.stack }"
        answer = agent.execute(code)
        self.assertIn("resolves through a link", text_of(answer))
        run = json.loads(self.glovebox("runs", "ls", "--json").stdout)["runs"][0]["id"]
        for said in (answer, agent.tool("get_run", {"run_id": run}), agent.notifications):
            self.assertNotIn(where, json.dumps(said))
        self.assertIn(where, self.glovebox("trace", "show", run, "--json").stdout)
        here = self.glovebox("exec", "--allow-read=data", "-e", code)
        self.assertIn(where, here.stderr)
        self.assertNotIn(where, here.stdout)

    def test_a_task_of_a_workflow_asks_and_gets_no_more(self):
        agent = self.link_out()
        os.makedirs(self.path("data/.git/hooks"))
        hook = self.path("data/.git/hooks/pre-commit")
        target = self.path("data/link/secret.txt")
        answer = agent.tool("run_workflow", {"workflow": {"tasks": [
            {"id": "hook", "type": "code_execution", "code": write(hook), "sandbox_config": {"allowWrite": [hook]}},
            {"id": "leave", "type": "code_execution", "code": write(target), "sandbox_config": {"allowWrite": [target]}},
            {"id": "look", "type": "code_execution", "code": f"return await Deno.readTextFile({target!r})",
             "sandbox_config": {"allowRead": [target]}}]}})
        self.assertFalse(os.path.exists(hook))
        self.assertEqual(self.outside(), "canary")
        self.assertNotIn("canary", json.dumps(answer))

    def test_asking_for_a_higher_limit_gives_none_and_says_so(self):
        self.config(sandbox={"memoryMB": 64, "timeoutMs": 2000}, mcpServers={"bank": self.server()}, permissions={"allow": ["bank"]})
        agent = self.serve()
        asked = {"heapLimitMB": 4096, "timeoutMs": 60000, "cpuMs": 60000}
        told = agent.execute("return 1", sandbox_config=asked)
        notes = [f"sandbox_config.{key}: {value} was requested, {less} applies; only the owner's config can raise it"
                 for key, value, less in [("timeoutMs", 60000, 2000), ("cpuMs", 60000, 2000), ("heapLimitMB", 4096, 64)]]
        self.assertEqual(told["structuredContent"], {**told["structuredContent"], "result": 1, "warnings": notes})
        self.assertIn(notes[2], text_of(told))
        # A tool call stops the clock of the code's own work, but not its CPU time.
        spin = agent.execute("mcp.bank.slow({}); for (;;);", sandbox_config=asked)
        self.assertIn(spin["structuredContent"]["error"]["code"], ["CPU_LIMIT", "EXECUTION_TIMEOUT"])
        task = {"id": "a", "type": "code_execution", "code": "return 1", "sandbox_config": {"memoryMB": 4096}}
        workflow = agent.tool("run_workflow", {"workflow": {"tasks": [task]}})["structuredContent"]
        self.assertEqual(workflow["tasks"][0]["notes"],
                         ["sandbox_config.memoryMB: 4096 was requested, 64 applies; only the owner's config can raise it"])

    def test_a_servers_own_time_binds_its_calls_and_a_run_may_only_shorten_it(self):
        self.config(mcpServers={"bank": self.server(callTimeoutMs=300)}, permissions={"allow": ["bank"]}, sandbox={"rpcTimeoutMs": 60000})
        agent = self.serve()
        told = agent.execute("return await mcp.bank.slow({}).catch(e => e.message)")["structuredContent"]["result"]
        self.assertIn("0.3 s, nor progress (mcpServers.bank.callTimeoutMs)", told)
        for asked, shown in [(200, "0.2 s, nor progress (rpcTimeoutMs that the run asked for)"), (50000, "0.3 s, nor progress (mcpServers.bank")]:
            told = agent.execute("return await mcp.bank.slow({}).catch(e => e.message)", sandbox_config={"rpcTimeoutMs": asked})
            self.assertIn(shown, told["structuredContent"]["result"])

    def test_an_overlay_commits_nothing_of_ours(self):
        self.config(sandbox={"allowRead": ["."], "allowWrite": ["."], "vfs": "overlay"})
        before = self.read("glovebox.json")
        code = write("glovebox.json") + ".catch(() => 0); " + write(".bashrc") + ".catch(() => 0); " + write("fine.txt")
        for more in ((), ("--allow-write=.,glovebox.json",)):
            self.glovebox("exec", "-e", code, "--config", "glovebox.json", "--commit", *more)
            self.assertEqual(self.read("glovebox.json"), before)
            self.assertFalse(os.path.exists(self.path(".bashrc")))
        self.assertTrue(os.path.exists(self.path("fine.txt")))

    def test_a_config_of_another_name_is_known_by_what_it_is(self):
        self.write("conf/mine.json", {"sandbox": {"allowRead": ["/"], "allowWrite": [self.workspace]}})
        self.write("evil.json", EVIL)
        before = self.read("conf/mine.json")
        agent = self.serve("--config", self.path("conf/mine.json"))
        config = self.path("conf/mine.json")
        for code in (write(config), f"await Deno.rename({self.path('evil.json')!r}, {config!r})",
                     f"await Deno.rename({self.path('conf')!r}, {self.path('gone')!r})",
                     f"await Deno.remove({self.path('conf')!r}, {{recursive: true}})"):
            agent.execute(code)
            self.assertEqual(self.read("conf/mine.json"), before)

    def test_what_is_granted_and_asked_for_still_works(self):
        agent = self.serve_with_all_of_the_workspace()
        self.write("out/a.txt", "a")
        out = self.path("out")
        both = {"allowRead": [out], "allowWrite": [out]}
        agent.execute(f"await Deno.writeTextFile({out + '/b.txt'!r}, await Deno.readTextFile({out + '/a.txt'!r}))",
                      sandbox_config=both)
        self.assertEqual(self.read("out/b.txt"), "a")
        agent.execute(write(self.path("beside.txt")), sandbox_config=both)
        self.assertFalse(os.path.exists(self.path("beside.txt")))

    def test_dot_files_that_nobody_listed_need_a_grant_of_their_own(self):
        agent = self.serve_with_all_of_the_workspace()
        for name in (".oh-my-zsh/custom/x.zsh", ".config/Code/User/settings.json", ".local/bin/git", ".curlrc", ".pnp.cjs",
                     "CLAUDE.md", "AGENTS.md", "lefthook.yaml", "bunfig.toml", ".github/copilot-instructions.md"):
            path = self.path(name)
            agent.execute(f"await Deno.mkdir({os.path.dirname(path)!r}, {{recursive: true}}).catch(() => 0); " + write(path))
            self.assertFalse(os.path.exists(path), name)
        agent.execute(write(self.path(".gitignore")))
        self.assertTrue(os.path.exists(self.path(".gitignore")))


class RulesTest(AuthorityCase):
    """Which calls an `allow` with a condition covers. The client cannot ask: what is asked about is not made."""

    def try_each(self, rule, calls):
        tool = rule[rule.index(":") + 1:rule.index("(")]
        self.config(mcpServers={"files": self.server()}, permissions={"allow": [rule]})
        agent = self.serve()
        for arguments in calls:
            agent.execute(f"return await mcp.files.{tool}({json.dumps(arguments)})")
        return [arguments for name, arguments in self.calls() if name == tool]

    def test_a_rule_on_paths_does_not_cover_our_own_files(self):
        fine = {"path": "./notes.md"}
        made = self.try_each("files:write_file(path=./**)", [
            fine, {"path": "./glovebox.json"}, {"path": "sub/../glovebox.json"}, {"path": "./.glovebox/glovebox.db"},
            {"path": "GLOVEBOX.JSON"}, {"path": "./notes.md", "copy_to": "./glovebox.json"},
            {"path": self.path("other/.pml/x")}])
        self.assertEqual(made, [fine])

    def test_a_rule_on_paths_does_not_cover_skills(self):
        self.write("skills/clock.py", "class ClockSkill:\n    def now(self) -> str:\n        return 'now'\n")
        self.config(skills="./skills", mcpServers={"files": self.server()}, permissions={"allow": ["files:write_file(path=./**)"]},
                    sandbox={"allowRead": ["."], "allowWrite": ["."]})
        agent = self.serve()
        for path in ("./skills/evil.py", "./fine.py"):
            agent.execute(f"return await mcp.files.write_file({{path: '{path}'}})")
        self.assertEqual([arguments for _, arguments in self.calls()], [{"path": "./fine.py"}])
        agent.execute(write(self.path("skills/evil.py")))
        self.assertEqual(os.listdir(self.path("skills")), ["clock.py"])

    def test_a_rule_on_paths_covers_no_control_characters(self):
        fine = {"path": "./notes.md"}
        made = self.try_each("files:write_file(path=./**)", [fine, {"path": "./a\nb"}, {"path": "./a\u001b[2Jb"}, {"path": "./a\u0000b"}, {"path": "./a\u007fb"}])
        self.assertEqual(made, [fine])

    def test_a_star_ends_where_a_shell_begins(self):
        fine = {"c": "git status --short"}
        made = self.try_each("files:send(c=git status*)", [
            fine, {"c": "git status; id"}, {"c": "git status $(id)"}, {"c": "git status\nid"}, {"c": "git status | id"},
            {"c": "git status > x"}, {"c": "git status `id`"}, {"c": "git status && id"}])
        self.assertEqual(made, [fine])

    def test_a_star_ends_where_another_host_does(self):
        fine = {"h": "api.example.com"}
        made = self.try_each("files:send(h=*.example.com)", [
            fine, {"h": "evil.com#.example.com"}, {"h": "evil.com?.example.com"}, {"h": "evil.com/.example.com"}])
        self.assertEqual(made, [fine])

    def test_a_text_is_no_number(self):
        self.assertEqual(self.try_each('files:find(t="1")', [{"t": "1"}, {"t": 1}]), [{"t": "1"}])

    def test_integers_are_exact(self):
        self.config(mcpServers={"files": self.server()}, permissions={"allow": ["files:pay(n=9007199254740993)"]})
        agent = self.serve()
        agent.execute("return await mcp.files.pay({n: 9007199254740992})")
        agent.execute("return mcp.files.pay(n=9007199254740992.0)", language="python")
        self.assert_not_made("pay")


class OtherWorkspaceTest(AuthorityCase):
    """Code and config of a workspace that another gateway serves, or that none does yet, in a folder that is granted here."""

    def setUp(self):
        super().setUp()
        self.projects = self.folder("projects")
        self.put("other/glovebox.json", '{ // with comments\n "skills": {"folder": "./lib/skills"}, "store": {"path": "./data/all.db"}, }')
        self.put("other/lib/skills/clock.py", "class ClockSkill:\n    pass\n")
        self.put("other/data/all.db", "rows")
        self.put("linked/glovebox.json", '{"skills": "./skills"}')
        self.put("linked/impl/mail.py", "class MailSkill:\n    pass\n")
        os.symlink("impl", self.at("linked/skills"))
        self.put("later/glovebox.json", '{"skills": "./code/skills"}')
        self.put("broken/glovebox.json", "{ skills:")
        self.put("varied/glovebox.json", '\ufeff{"skills": "${workspaceFolder}/code"}')
        self.put("varied/code/mail.py", "class MailSkill:\n    pass\n")
        self.put("unknown/glovebox.json", '{"skills": "${A_VARIABLE_OF_THEIRS}/lib"}')
        self.put("drafts/skills/evil.py", "evil")
        os.symlink("other/lib/skills", self.at("short"))

    def at(self, name):
        return os.path.join(self.projects, name)

    def put(self, name, text):
        os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(text)

    def everything(self):
        """{path: text or where a link leads to} of all projects."""
        found = {}
        for folder, folders, files in os.walk(self.projects):
            for name in files + folders:
                path = os.path.join(folder, name)
                key = os.path.relpath(path, self.projects)
                found[key] = os.readlink(path) if os.path.islink(path) else open(path, encoding="utf-8").read() if name in files else None
        return found

    ATTACKS = [
        ("write", "other/lib/skills/evil.py"), ("write", "other/lib/skills/clock.py"), ("write", "short/evil.py"),
        ("write", "other/data/all.db"), ("write", "other/data/all.db-wal"), ("write", "linked/skills/evil.py"), ("write", "linked/impl/evil.py"),
        ("write", "later/code/skills/evil.py"), ("write", "broken/skills/evil.py"), ("write", "other/LIB/../lib/skills/evil.py"),
        ("write", "varied/code/evil.py"), ("write", "unknown/lib/evil.py"), ("write", "broken/elsewhere/evil.py"),
        ("mkdir", "other/lib/skills/inner"), ("mkdir", "later/code/skills"),
        ("remove", "other/lib/skills/clock.py"), ("remove", "other/lib"), ("remove", "other"), ("remove", "linked/impl"), ("remove", "linked/skills"),
        ("rename", "other/lib", "other/old"), ("rename", "other/lib/skills", "mine"), ("rename", "other", "mine"), ("rename", "drafts", "later/code"),
        ("rename", "drafts/skills", "other/lib/skills/inner"), ("rename", "linked/impl", "mine"), ("rename", "linked/skills", "mine"),
        ("copy", "drafts/skills/evil.py", "other/lib/skills/evil.py"),
    ]
    PROGRAM = """
      const [what, from, to] = context;
      if (what === 'write') await Deno.writeTextFile(from, 'evil');
      if (what === 'mkdir') { await Deno.mkdir(from, { recursive: true }); }
      if (what === 'remove') await Deno.remove(from, { recursive: true });
      if (what === 'rename') await Deno.rename(from, to);
      if (what === 'copy') await Deno.copyFile(from, to);
    """

    def attack_all(self, agent, **more):
        for attack in self.ATTACKS:
            before = self.everything()
            agent.execute(self.PROGRAM, context=[attack[0], *map(self.at, attack[1:])], **more)
            now = self.everything()
            now.pop("later/code", None)  # an empty folder above holds no code
            self.assertEqual(now, before, attack)
            shutil.rmtree(self.at("later/code"), ignore_errors=True)

    def test_no_way_writes_code_of_another_workspace(self):
        self.config(sandbox={"allowRead": [self.projects], "allowWrite": [self.projects]})
        agent = self.serve()
        self.attack_all(agent)
        agent.execute(self.PROGRAM, context=["write", self.at("other/notes.md")])
        agent.execute(self.PROGRAM, context=["write", self.at("varied/notes.md")])
        agent.execute(self.PROGRAM, context=["rename", self.at("drafts"), self.at("other/drafts")])
        self.assertTrue(os.path.exists(self.at("varied/notes.md")))
        self.assertTrue(os.path.exists(self.at("other/notes.md")) and os.path.exists(self.at("other/drafts/skills")))

    def test_an_overlay_commits_none_of_it(self):
        before = self.everything()
        attacks = [[attack[0], *map(self.at, attack[1:])] for attack in self.ATTACKS]
        code = f"for (const context of {json.dumps(attacks)}) try {{ {self.PROGRAM} }} catch {{}} await Deno.writeTextFile('fine', '')"
        self.glovebox("exec", "--vfs=overlay", "--commit", "--allow-read=.", "--allow-write=.", "-e", code, cwd=self.projects)
        now = self.everything()
        self.assertEqual(now.pop("fine", None), "")
        now.pop("later/code", None)
        self.assertEqual(now, before)

    def test_a_plain_exec_writes_none_of_it(self):
        before = self.everything()
        for path in ("other/lib/skills/evil.py", "short/evil.py"):
            self.glovebox("exec", "--allow-read=.", "--allow-write=.", "-e", f"await Deno.writeTextFile('{path}', 'evil')", cwd=self.projects)
        self.assertEqual(self.everything(), before)

    def test_what_the_owner_agreed_to_is_known_wherever_it_lies(self):
        self.put("shared/skills/a.py", "class ASkill:\n    pass\n")
        self.put("conf/my.json", json.dumps({"skills": "../shared/skills"}))
        self.environment["GLOVEBOX_TRUSTED_FOLDERS"] = self.workspace
        self.glovebox("tools", "ls", "--workspace", self.folder("elsewhere"), "--config", self.at("conf/my.json"))
        self.config(sandbox={"allowRead": [self.projects], "allowWrite": [self.projects]},
                    mcpServers={"files": self.server()}, permissions={"allow": [f"files:write_file(path={self.projects}/**)"]})
        agent, before = self.serve(), self.everything()
        for path in ("shared/skills/evil.py", "conf/my.json"):
            agent.execute(write(self.at(path)))
            agent.execute(f"return await mcp.files.write_file({{path: '{self.at(path)}'}})")
        agent.execute(f"await Deno.rename('{self.at('shared')}', '{self.at('mine')}')")
        self.assertEqual(self.everything(), before)
        self.assertEqual(self.calls(), [])

    def test_a_rule_on_paths_covers_none_of_it(self):
        self.config(mcpServers={"files": self.server()}, permissions={"allow": [f"files:write_file(path={self.projects}/**)"]})
        os.symlink("../other/lib/skills/new.py", self.at("drafts/new.py"))
        agent = self.serve()
        for name in ("other/lib/skills/evil.py", "short/evil.py", "linked/impl/evil.py", "broken/skills/x.py", "drafts/new.py", "other/notes.md"):
            agent.execute(f"return await mcp.files.write_file({{path: '{self.at(name)}'}})")
        self.assertEqual(self.calls(), [("write_file", {"path": self.at("other/notes.md")})])

    def test_going_up_behind_a_link_is_no_way_round_a_rule(self):
        self.config(mcpServers={"files": self.server()}, permissions={"allow": [f"files:write_file(path={self.projects}/**)"]})
        self.put("other/lib/skills/inner/a.py", "")
        os.symlink("../other/lib/skills/inner", self.at("drafts/d"))
        agent = self.serve()
        for name in ("drafts/d/../x.py", "drafts/./d/../x.py", "drafts/skills/../x.py"):
            agent.execute(f"return await mcp.files.write_file({{path: '{self.at(name)}'}})")
        self.assertEqual(self.calls(), [("write_file", {"path": self.at("drafts/skills/../x.py")})])

    def test_more_names_than_can_be_looked_up_are_asked_about(self):
        self.config(mcpServers={"files": self.server()}, permissions={"allow": ["files:write_file(path=./**)"]})
        agent = self.serve()
        prose, paths = " ".join(f"word{n}" for n in range(2000)), [" ".join(f"{n}/b" for n in range(m, m + 8000)) for m in (0, 8000)]
        agent.execute("return await mcp.files.write_file(context)", context={"path": "./a", "content": paths})
        self.assertEqual(self.calls(), [])
        agent.execute("return await mcp.files.write_file(context)", context={"path": "./a", "content": prose})
        self.assertEqual(len(self.calls()), 1)

    def test_a_stranger_takes_nothing_from_others(self):
        """A repository that was shown, but not agreed to, and that calls all of the disk its skills."""
        self.put("clone/glovebox.json", '{"skills": "/"}')
        self.put("linked_clone/glovebox.json", '{"skills": "skills"}')
        os.symlink("/", self.at("linked_clone/skills"))
        for name in ("clone", "linked_clone"):
            self.serve(workspace=self.at(name)).execute("return 1")
        self.assertEqual(len(os.listdir(os.path.join(self.root, "home/.local/state/glovebox/workspaces"))), 2)
        self.config(sandbox={"allowRead": [self.projects], "allowWrite": [self.projects]},
                    mcpServers={"files": self.server()}, permissions={"allow": [f"files:write_file(path={self.projects}/**)"]})
        agent = self.serve()
        agent.execute(write(self.at("notes.md")))
        agent.execute(write(self.at("clone/notes.md")))
        self.assertTrue(os.path.exists(self.at("notes.md")))
        self.assertFalse(os.path.exists(self.at("clone/notes.md")))
        agent.execute(f"return await mcp.files.write_file({{path: '{self.at('notes.md')}'}})")
        self.assertEqual(len(self.calls()), 1)

    def test_a_folder_that_is_gone_is_no_crash(self):
        gone = self.folder("gone")
        script = f'rmdir {gone} && exec "$0" exec --allow-write=. -e "return 1"'
        self.assertGreaterEqual(subprocess.run(["sh", "-c", script, GLOVEBOX], cwd=gone, env=self.environment, stdin=subprocess.DEVNULL,
                                               capture_output=True, timeout=60).returncode, 0)


class LaxityTest(AuthorityCase):
    def test_the_owners_strict_check_stays(self):
        self.config(check="strict", sandbox={"allowWrite": ["./out"]})
        os.makedirs(self.path("out"))
        self.serve().execute("const n: number = 'text'; await Deno.writeTextFile('out/x', n); return n", check="off")
        self.assertFalse(os.path.exists(self.path("out/x")))

    def test_code_that_the_check_refuses_has_done_nothing(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        listener.settimeout(0.2)
        port = listener.getsockname()[1]
        self.config(check="strict", mcpServers={"files": self.server()}, permissions={"allow": ["*"]},
                    sandbox={"allowWrite": ["./out"], "allowNet": [f"127.0.0.1:{port}"]})
        os.makedirs(self.path("out"))
        agent = self.serve()
        # It runs while it is checked, and tries at its first instruction, repeatedly, and in code that never returns.
        firsts = ["await mcp.files.pay({ n: 1 })", "mcp.files.pay({ n: 1 }); while (true) {}", "await Deno.writeTextFile('out/x', 'x')",
                  "Deno.writeTextFileSync('out/x', 'x')", f"await fetch('http://127.0.0.1:{port}/')", "await emit('x', 'y'); console.log('he' + 'ard')",
                  "try { await mcp.files.pay({ n: 1 }) } finally { await mcp.files.send({ n: 2 }) }"]
        for first in firsts:
            with self.subTest(first):
                told = json.dumps(agent.execute(first + "; const n: number = 'text'; return n"))
                self.assertIn("TYPE_CHECK_FAILED", told)
                self.assertNotIn("heard", told)
        self.assertEqual(self.calls(), [])
        self.assertEqual(os.listdir(self.path("out")), [])
        self.assertRaises(TimeoutError, listener.accept)
        self.assertNotIn("call.", self.glovebox("audit", "--json").stdout)
        # The same without the mistake is carried out: the test can fail.
        agent.execute("await mcp.files.pay({ n: 1 })")
        self.assertEqual([tool for tool, _ in self.calls()], ["pay"])

    def test_tools_bind_the_capabilities_that_are_called(self):
        self.config(mcpServers={"files": self.server()}, permissions={"allow": ["*"]})
        self.write("pay.ts", "return await mcp.files.pay({n: 1})")
        registry = self.folder("registry")
        published = self.glovebox("capability", "publish", "acme.tools.shop.buy", "pay.ts", "--tool", "files:pay", "--to", registry, "--json")
        name = json.loads(published.stdout)["fqdn"]
        self.glovebox("capability", "add", name, "--registry", registry)
        agent = self.serve()
        agent.execute("return await mcp.shop.buy({})", tools=["shop:buy"])
        self.assert_not_made("pay")
        agent.execute("return await mcp.shop.buy({})", tools=["shop:buy", "files:pay"])
        self.assertEqual([tool for tool, _ in self.calls()], ["pay"])

    def test_a_case_that_somebody_sent_gets_nothing_of_this_machine(self):
        self.config(mcpServers={"files": self.server()})
        self.environment["SECRET"] = "canary-value"
        self.write("code.ts", "return Deno.env.get('SECRET')!.length")
        self.glovebox("exec", "code.ts", "--config", "glovebox.json", "--allow-env=SECRET")
        run = json.loads(self.glovebox("runs", "ls", "--json").stdout)["runs"][0]["id"]
        case = json.loads(self.glovebox("runs", "record", run).stdout)
        case["code"] = "throw new Error(Deno.env.get('SECRET'))"
        self.write("sent.case.json", case)
        tested = self.glovebox("test", "sent.case.json")
        self.assertNotIn("canary-value", tested.stdout + tested.stderr)
