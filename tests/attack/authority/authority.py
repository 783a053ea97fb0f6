"""What the attacks on who decides stand on: a workspace of their own, a gateway in it, and a client that speaks MCP.

A case is a method of a class that derives from AuthorityCase. It checks effects, not messages: what the recording server was
asked to do, which files exist, whether the gateway still answers.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
GLOVEBOX = os.environ.get("GLOVEBOX") or os.path.join(HERE, "../../../build/bin/glovebox")
PATIENCE = 120  # seconds for an answer: only something that hangs takes that long


class Client:
    """A client of `glovebox serve` over stdio. `answer_form` answers the gateway's forms; without it the client cannot show any."""

    def __init__(self, workspace, environment, arguments=(), answer_form=None):
        self.process = subprocess.Popen([GLOVEBOX, "serve", "--workspace", workspace, *arguments], env=environment, cwd=workspace,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.answer_form = answer_form
        self.answers, self.arrived, self.ended = {}, threading.Condition(), False
        self.notifications = []
        self.last_id = 0
        threading.Thread(target=self._read, daemon=True).start()
        capabilities = {"elicitation": {}} if answer_form else {}
        self.introduction = self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": capabilities,
                                                         "clientInfo": {"name": "attacker", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def _read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message and "id" in message:
                if message["method"] == "elicitation/create" and self.answer_form:
                    reply = {"result": self.answer_form(message["params"])}
                else:
                    reply = {"error": {"code": -32601, "message": "not here"}}
                self.send({"id": message["id"], **reply})
                continue
            with self.arrived:
                if "method" in message:
                    self.notifications.append(message)
                else:
                    self.answers[message["id"]] = message
                self.arrived.notify_all()
        with self.arrived:
            self.ended = True
            self.arrived.notify_all()

    def begin(self, method, params):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        return self.last_id

    def wait(self, number):
        with self.arrived:
            self.arrived.wait_for(lambda: number in self.answers or self.ended, PATIENCE)
            if number not in self.answers:
                raise AssertionError("the gateway ended" if self.ended else "the gateway did not answer")
            return self.answers.pop(number)

    def request(self, method, params):
        return self.wait(self.begin(method, params))

    def begin_tool(self, tool, arguments, meta=None):
        return self.begin("tools/call", {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})})

    def tool(self, tool, arguments, meta=None):
        """The result of a tool of the gateway's, or the error of the protocol."""
        answer = self.wait(self.begin_tool(tool, arguments, meta))
        return answer.get("result") or answer["error"]

    def execute(self, code, **more):
        return self.tool("execute_code", {"code": code, "check": "off", **more})

    def is_alive(self):
        return "result" in self.request("ping", {})

    def close(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()


class AuthorityCase(unittest.TestCase):
    def setUp(self):
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="glovebox-authority-"))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.workspace = self.folder("workspace")
        home = self.folder("home")
        self.environment = {"PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8", "GLOVEBOX_TRUSTED_FOLDERS": self.workspace,
                            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"),
                            "XDG_CONFIG_HOME": os.path.join(home, ".config"), "XDG_STATE_HOME": os.path.join(home, ".local/state")}

    def folder(self, *names):
        path = os.path.join(self.root, *names)
        os.makedirs(path, exist_ok=True)
        return path

    def path(self, *names):
        return os.path.join(self.workspace, *names)

    def write(self, name, content):
        """A file of the workspace; what is not text is written as JSON."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def config(self, **members):
        self.write("glovebox.json", members)

    def server(self, **more):
        """The entry of `mcpServers` for a server that only writes down its calls; self.calls() reads them."""
        return {"command": sys.executable, "args": [os.path.join(HERE, "recording_server.py"), os.path.join(self.root, "calls")], **more}

    def calls(self):
        """[(tool, arguments)] that the recording server was asked for."""
        try:
            with open(os.path.join(self.root, "calls"), encoding="utf-8") as file:
                return [(call["name"], call.get("arguments")) for call in map(json.loads, file)]
        except FileNotFoundError:
            return []

    def serve(self, *arguments, workspace=None, answer_form=None):
        client = Client(workspace or self.workspace, self.environment, arguments, answer_form)
        self.addCleanup(client.close)
        return client

    def glovebox(self, *arguments, **options):
        """The command, to its end: .returncode, .stdout, .stderr."""
        options = {"cwd": self.workspace, "input": "", "timeout": PATIENCE, **options}
        return subprocess.run([GLOVEBOX, *arguments], env=self.environment, capture_output=True, text=True, check=False, **options)

    def assert_not_made(self, tool):
        self.assertNotIn(tool, [name for name, _ in self.calls()])


def text_of(result):
    return "\n".join(part.get("text", "") for part in result.get("content", []))
