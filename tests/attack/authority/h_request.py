"""What an agent asks for in `sandbox_config` narrows the owner's grants and is never a grant itself; and no run writes
Glovebox's own files, whatever was granted."""
import json
import os

from authority import AuthorityCase, text_of

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
