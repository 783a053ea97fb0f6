"""What is asked of every installation, wherever it stands: a run in each language, a type check, a search, a tool call."""
import contextlib
import glob
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
SERVER = os.path.join(SOURCE, "tests/attack/authority/recording_server.py")
PATIENCE = 300  # seconds: only something that hangs takes that long
NOBODY = 65534
# Root where no user namespace can be made; and root without the right to make any other, as in most containers.
NO_USER_NAMESPACES = [os.path.join(SOURCE, "tests/attack/place/without_user_namespaces")]
NO_NAMESPACES = [*NO_USER_NAMESPACES, "setpriv", "--bounding-set=-sys_admin", "--"]


def package_in(folder, pattern):
    """The one of scripts/package's files with such a name."""
    found = glob.glob(os.path.join(glob.escape(folder), pattern))
    if len(found) != 1:
        sys.exit(f"{folder} has no {pattern}: run scripts/package {folder}")
    return found[0]


class Failed(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Failed(what)


class Trial:
    """A user of the program `glovebox`: a home of their own, and the commands that they type. `user` is a uid; None: who we are.
    `before` is what starts the program; where that changes the root, `root` is the folder which it then is."""

    def __init__(self, glovebox, user=None, before=(), root=""):
        self.glovebox, self.before = glovebox, list(before)
        os.makedirs(root + "/tmp", exist_ok=True)
        self.real_home = tempfile.mkdtemp(prefix="glovebox-trial-", dir=root + "/tmp")
        self.home = self.real_home[len(root):]
        shutil.copy(SERVER, self.real_home)
        if user is not None:
            os.chown(self.real_home, user, user)
            if not root:
                self.before += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"]
        self.environment = {"PATH": "/usr/bin:/bin:/usr/sbin", "HOME": self.home, "LANG": "C.UTF-8", "GLOVEBOX_TRUSTED_FOLDERS": self.home}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.real_home, ignore_errors=True)

    def run(self, *words, input=None):
        return subprocess.run([*self.before, self.glovebox, *words], cwd=self.real_home, env=self.environment, input=input,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=PATIENCE, check=False)

    def expect(self, out, *words):
        ended = self.run(*words)
        need(ended.returncode == 0 and ended.stdout == out, f"{' '.join(words)}: {ended.returncode} {ended.stdout}{ended.stderr}")

    def is_well(self):
        ended = self.run("doctor", "--json")
        need(ended.returncode == 0, f"doctor: {ended.returncode} {ended.stdout}{ended.stderr}")

    def connects(self, words, path):
        """A client gets these words to start it, where PATH has the folder `path` first; and its own file back."""
        self.environment["PATH"] = f"{path}:/usr/bin:/bin"
        connect = ["connect", "claude-code", "--workspace", self.home]
        ended = self.run(*connect, "--yes")
        need(ended.returncode == 0, f"connect: {ended.returncode} {ended.stdout}{ended.stderr}")
        with open(os.path.join(self.real_home, ".mcp.json"), encoding="utf-8") as file:
            entry = json.load(file)["mcpServers"]["glovebox"]
        need([entry["command"], *entry["args"]] == [*words, "serve", "--workspace", self.home], f"the client would start {entry}")
        need(self.run(*connect, "--undo").returncode == 0, "the client's file was not restored")
        need(not os.path.exists(os.path.join(self.real_home, ".mcp.json")), "the client's file is still there")

    def executes(self, *more):
        self.expect("42\n", "exec", "-e", "const answer: number = 42; return answer", *more)
        self.expect("45\n", "exec", "--lang", "py", "-e", "sum(range(10))", *more)

    @contextlib.contextmanager
    def session(self, permissions, *more):
        """One session over stdio, with one server: a function that calls tools of the gateway."""
        with open(os.path.join(self.real_home, "glovebox.json"), "w", encoding="utf-8") as file:
            server = {"command": "/usr/bin/python3", "args": [os.path.join(self.home, "recording_server.py"), os.path.join(self.home, "calls")]}
            json.dump({"mcpServers": {"desk": server}, "permissions": permissions}, file)
        with subprocess.Popen([*self.before, self.glovebox, "serve", "--workspace", self.home, *more], cwd=self.real_home, env=self.environment,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as serve:
            numbers = itertools.count()

            def ask(method, params):
                number = next(numbers)
                print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}), file=serve.stdin, flush=True)
                for line in serve.stdout:
                    if json.loads(line).get("id") == number:
                        return json.loads(line).get("result")
                raise Failed(f"serve ended: {serve.stderr.read()}")
            ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "trial", "version": "1"}})
            yield lambda tool, arguments: ask("tools/call", {"name": tool, "arguments": arguments})
            serve.stdin.close()
            serve.wait(PATIENCE)

    def begins_what_waits(self):
        """A run that waits for a person when its gateway has ended."""
        with self.session({"ask": ["desk:pay"]}) as call:
            wait = call("execute_code", {"code": "const before = Date.now(); await mcp.desk.pay({amount: 8}); return 'paid later'"})
        need(wait["structuredContent"].get("status") == "approval_required", f"nobody was asked: {wait}")
        return {"run_id": wait["structuredContent"]["run_id"], "approval_id": wait["structuredContent"]["approval_id"], "approved": True}

    def finishes(self, answer):
        with self.session({"ask": ["desk:pay"]}) as call:
            ended = call("continue_run", answer)
        need(ended["structuredContent"].get("result") == "paid later", f"the run was not resumed: {ended}")
        with open(os.path.join(self.real_home, "calls"), encoding="utf-8") as file:
            need(file.read().count('"amount": 8') == 1, "the call was not made once")

    def serves(self, *more):
        calls = [("search_tools", {"intent": "erase a file for good", "k": 1}),
                 ("execute_code", {"code": "const wrong: number = 'text'; return wrong", "check": "strict"}),
                 ("execute_code", {"code": "await mcp.desk.pay({amount: 7}); return 'paid'"})]
        # A busy machine may need longer for the model or the check than an answer waits; then the question is repeated. What
        # is not installed is not late.
        late = re.compile(r"matched by keywords only|CHECK_UNAVAILABLE|has not listed its tools yet")
        with self.session({"allow": ["desk:*"]}, *more) as call:
            def answered(tool, arguments):
                until = time.monotonic() + PATIENCE
                while late.search(answer := json.dumps(call(tool, arguments))) and "not installed" not in answer:
                    need(time.monotonic() < until, f"{tool} is late each time: {answer}")
                    time.sleep(0.2)
                return answer
            answers = [answered(tool, arguments) for tool, arguments in calls]
        need("delete_file" in answers[0], f"search did not find by meaning: {answers[0]}")
        need("is not assignable to type" in answers[1], f"types were not checked: {answers[1]}")
        need("paid" in answers[2], f"the call was not made: {answers[2]}")
        with open(os.path.join(self.real_home, "calls"), encoding="utf-8") as file:
            need('"amount": 7' in file.read(), "the server was not called")
        return answers
