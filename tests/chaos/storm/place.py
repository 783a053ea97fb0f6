"""Where a storm happens: a workspace with a store of either kind, gateways in it, and a person who answers what they ask."""
import contextlib
import glob
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import history

HERE = os.path.dirname(os.path.abspath(__file__))
GLOVEBOX = os.environ.get("GLOVEBOX") or os.path.join(HERE, "../../../build/bin/glovebox")
PATIENCE = 600  # seconds: only something that hangs takes that long
TOKEN = "storm-storm-storm-storm"
WATCHER = "watch-watch-watch-watch"


def eventually(what, condition, seconds=PATIENCE):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            if found := condition():
                return found
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {seconds} s")


class Postgres:
    """A cluster of its own."""

    @staticmethod
    def programs():
        return max(glob.glob("/usr/lib/postgresql/*/bin"), default=None)

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="glovebox-storm-pg-")
        self.user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
        if self.user:
            os.chown(self.folder, 65534, 65534)
        self.run("initdb", "-D", self.folder + "/data", "-U", "glovebox", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        self.start()
        self.address = f"postgresql://glovebox@/postgres?host={self.folder}"

    def run(self, program, *arguments):
        return subprocess.run([*self.user, f"{self.programs()}/{program}", *arguments], check=True, cwd="/", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True).stdout

    def start(self):
        options = f"-k {self.folder} -c listen_addresses= -c shared_buffers=16MB"
        self.run("pg_ctl", "-D", self.folder + "/data", "-w", "-l", self.folder + "/log", "-o", options, "start")

    def stop(self, mode="fast"):
        self.run("pg_ctl", "-D", self.folder + "/data", "-w", "-m", mode, "stop")

    def query(self, sql):
        return self.run("psql", "-h", self.folder, "-U", "glovebox", "-d", "postgres", "-At", "-c", sql).strip()

    def processes(self):
        """The server and its processes that serve connections."""
        with open(self.folder + "/data/postmaster.pid", encoding="ascii") as file:
            server = int(file.readline())
        return [server, *children_of(server)]

    def close(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def children_of(pid):
    """All of them, also of children. (The lists of children in /proc may lack some while others end.)"""
    parents = {}
    for one in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{one}/stat", encoding="utf-8", errors="replace") as file:
            parents[int(one)] = int(file.read().rpartition(")")[2].split()[1])

    def beneath(top):
        for child, parent in parents.items():
            if parent == top:
                yield child
                yield from beneath(child)
    return list(beneath(pid))


class Gateway:
    """`glovebox serve` over HTTP. Its log is kept."""

    def __init__(self, place, environment=None):
        self.lines = []
        self.process = subprocess.Popen([GLOVEBOX, "serve", "--workspace", place.workspace, "--http", "127.0.0.1:0"],
                                        env={**place.environment, **(environment or {})}, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.port, self.session, self.last_id = None, None, 0
        for line in self.process.stderr:
            self.lines.append(line)
            if found := re.search(r"listening on .*:(\d+)/mcp", line):
                self.port = int(found[1])
                break
        threading.Thread(target=self._read, args=(self.process.stderr,), daemon=True).start()

    def _read(self, stream):
        with contextlib.suppress(ValueError):
            for line in stream:
                self.lines.append(line)

    def ask(self, method, path, body=None, headers=(), timeout=PATIENCE, token=TOKEN):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), {
                "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                "Authorization": f"Bearer {token}", **dict(headers)})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def rpc(self, method, params):
        self.last_id += 1
        headers = {"Mcp-Session-Id": self.session} if self.session else {}
        status, head, text = self.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}, headers)
        if status != 200:
            raise ValueError(f"{status} {text}")
        if method == "initialize":
            self.session = head["Mcp-Session-Id"]
        lines = [line[6:] for line in text.split("\n") if line.startswith("data: {")] or [text]
        return next(m for m in map(json.loads, lines) if "id" in m and "method" not in m)

    def tool(self, name, arguments):
        if not self.session:
            self.rpc("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "storm", "version": "1"}})
        answer = self.rpc("tools/call", {"name": name, "arguments": arguments})
        return answer.get("result") or answer["error"]

    def is_ready(self):
        return self.watched("/readyz") == 200

    def watched(self, path):
        return self.ask("GET", path, timeout=60, token=WATCHER)[0]

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()


class Place:
    def __init__(self, postgres=None, root=None, address=None):
        self.postgres = postgres
        self.root = root or os.path.realpath(tempfile.mkdtemp(prefix="glovebox-storm-"))
        self.workspace, home = self.root + "/workspace", self.root + "/home"
        os.makedirs(self.workspace + "/out", exist_ok=True)
        os.makedirs(home, exist_ok=True)
        self.log = self.root + "/calls"
        self.environment = {"PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8", "GLOVEBOX_TRUSTED_FOLDERS": self.workspace,
                            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME") or home + "/.cache",
                            "XDG_CONFIG_HOME": home + "/.config", "XDG_STATE_HOME": home + "/.local/state"}
        config = {"http": {"token": TOKEN}, "observe": {"token": WATCHER}, "sandbox": {"allowWrite": ["./out"]},
                  "permissions": {"allow": ["log:get", "log:post"], "ask": ["log:sign"], "idempotent": ["log:get"]},
                  "mcpServers": {"log": {"command": sys.executable, "args": [HERE + "/logging_server.py", self.log]}}}
        if postgres or address:
            config["store"] = {"address": address or postgres.address, "leaseSeconds": 3}
        with open(self.workspace + "/glovebox.json", "w", encoding="utf-8") as file:
            json.dump(config, file)
        self.gateways, self.started, self.token, self.writes_files = [], {}, None, True

    def start(self, environment=None):
        gateway = Gateway(self, environment)
        self.gateways.append(gateway)
        return gateway

    def cli(self, *arguments, check=True):
        done = subprocess.run([GLOVEBOX, *arguments, "--workspace", self.workspace], env=self.environment, capture_output=True, text=True,
                              check=False, timeout=PATIENCE, stdin=subprocess.DEVNULL)
        if check and done.returncode != 0:
            raise AssertionError(f"glovebox {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def json(self, *arguments):
        return json.loads(self.cli(*arguments, "--json").stdout)

    # --- a workflow of every kind of task

    def run_workflow(self, gateway, ms=40):
        tool = lambda id, name, after=(): {"id": id, "type": "mcp_tool", "tool": f"log:{name}",  # noqa: E731
                                           "arguments": {"n": f"{{wf}}.{id}", "ms": ms}, "dependencies": list(after)}
        code = lambda id, text, after, **more: {"id": id, "type": "code_execution", "code": text, "dependencies": list(after), **more}  # noqa: E731
        first = [f"g{i}" for i in range(3)] + [f"p{i}" for i in range(4)]
        tasks = [tool(id, "get" if id[0] == "g" else "post") for id in first]
        files = [f"f{i}" for i in range(3)]
        write = 'await Deno.writeTextFile("{out}/{id}.txt", Object.keys(deps).sort().join()); return {{ wrote: "{id}" }}'
        if not self.writes_files:
            write = "return Object.keys(deps).length"
        grant = {"allowWrite": [self.workspace + "/out"]} if self.writes_files else {}
        tasks += [code(id, write.format(id=id, out=self.workspace + "/out"), first, sandbox_config=grant) for id in files]
        signs = [f"s{i}" for i in range(4)]
        tasks += [tool(id, "sign", files) for id in signs]
        inner = ('const got = await Promise.all([0, 1, 2].map((i) => mcp.log.get({{ n: "{{wf}}.inner.g" + i, ms: {ms} }})));'
                 'return got.map((one) => one.n.split(".").pop())').format(ms=ms)
        tasks += [code("inner", inner, signs)]
        tasks += [tool(f"q{i}", "post", ["inner"]) for i in range(3)] + [tool("last", "post", [f"q{i}" for i in range(3)])]
        name = f"w{len(self.started)}"
        text = json.dumps({"concurrency": 8, "tasks": tasks}).replace("{wf}", name)
        answer = gateway.tool("run_workflow", {"workflow": json.loads(text), "wait": False})
        found = re.search(r"wf_[0-9a-z]+", json.dumps(answer))
        if not found:
            raise AssertionError(f"no workflow began: {answer}")
        self.started[name] = found[0]
        return found[0]

    TASKS = 19

    def owner_of(self, n):
        parts = n.split(".")
        if parts[0] in self.started:
            return "task", self.started[parts[0]], parts[1]
        return ("run", self.runs[n]) if n in getattr(self, "runs", {}) else None

    def approver(self):
        """A token that a person at a terminal has made."""
        if not self.token:
            person = os.path.join(HERE, "../../attack/authority/person.py")
            made = subprocess.run([sys.executable, person, GLOVEBOX, "token", "new", "--role", "approver", "--json", "--workspace",
                                   self.workspace], env=self.environment, capture_output=True, text=True, check=True)
            self.token = json.loads(made.stdout)["token"]
        return self.token

    def be_a_person(self):
        """Says yes to what is asked, and to try again where the outcome of a call is unknown."""
        for approval in self.json("approvals", "ls").get("approvals", []):
            self.cli("approvals", "approve", approval["id"], "--token", self.approver(), check=False)
        for workflow in self.started.values():
            shown = json.loads(self.cli("runs", "show", workflow, "--json").stdout)
            for task in shown.get("tasks", []):
                if task["status"] == "unknown":
                    self.cli("runs", "command", workflow, "approval_response", json.dumps({"task": task["id"], "decision": "retry"}),
                             check=False)
            if shown.get("status") == "dead":
                self.cli("runs", "resume", workflow, check=False)

    def have_ended(self):
        states = [json.loads(self.cli("runs", "show", id, "--json").stdout)["status"] for id in self.started.values()]
        return all(state not in ("running", "waiting", "pending", "paused", "dead") for state in states) and states

    def finish(self, seconds=PATIENCE):
        """Until every workflow has ended, with a gateway that runs and a person at hand."""
        until = time.monotonic() + seconds
        while not (states := self.have_ended()):
            if time.monotonic() > until:
                raise AssertionError("the workflows have not ended: " + self.cli("runs", "ls", check=False).stdout)
            self.be_a_person()
            time.sleep(0.2)
        return states

    def check(self):
        """All that must hold after a storm; returns what happened."""
        exported = f"{self.root}/exported-{time.monotonic_ns()}.db"
        self.cli("store", "export", exported)
        wrong, counts = history.check(history.read_log(self.log), history.Record(exported), self.owner_of)
        os.remove(exported)
        problems = self.json("store", "check")["problems"]
        assert not wrong and not problems, "\n".join([*wrong, *problems])
        assert self.json("audit", "verify")["ok"]
        assert counts["completed"] == self.TASKS * len(self.started), counts
        if self.started and self.writes_files:
            for id in ("f0", "f1", "f2"):
                with open(f"{self.workspace}/out/{id}.txt", encoding="utf-8") as file:
                    assert file.read() == "g0,g1,g2,p0,p1,p2,p3", id
        return dict(counts)

    def close(self):
        for gateway in self.gateways:
            if gateway.process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    gateway.signal(signal.SIGCONT)
                gateway.kill()
        shutil.rmtree(self.root, ignore_errors=True)
