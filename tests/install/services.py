#!/usr/bin/env python3
"""services.py PACKAGES ROOTS: a Debian 12 with systemd as process 1, in which apt installs the package and the units are enabled, as
docs/install.md says to.

It needs root, Debian's packages and debootstrap; where one of them is missing it is skipped (77).
"""
import json
import os
import shutil
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import roots
from installed import PATIENCE, package_in

PACKAGES = os.path.abspath(sys.argv.pop(1))
ROOTS = os.path.abspath(sys.argv.pop(1))
PACKAGE = "/opt/new.deb"  # booting empties /tmp
# Requests with a token, from within the machine: it has a network of its own.
CLIENT = r"""
import json, sys, urllib.error, urllib.request
token, *bodies = sys.argv[1:]
headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
if token:
    headers["Authorization"] = "Bearer " + token
for body in bodies:
    try:
        with urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:7777/mcp", body.encode(), headers), timeout=120) as answer:
            if answer.headers["Mcp-Session-Id"]:
                headers["Mcp-Session-Id"] = answer.headers["Mcp-Session-Id"]
            print(answer.status, answer.read().decode())
    except urllib.error.HTTPError as refusal:
        print(refusal.code)
"""
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "trial", "version": "1"}}}
EXECUTE = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "execute_code", "arguments": {"code": "return 6 * 7"}}}


class Services(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = roots.root_of(ROOTS, "bookworm", "systemd-sysv", "dbus", "dbus-user-session", "libpam-systemd")
        shutil.copy(package_in(PACKAGES, "glovebox_*_amd64.deb"), cls.root + PACKAGE)
        for state in ("var/lib/glovebox", "home/ada/.config/glovebox", "home/ada/.local/state/glovebox"):  # of an earlier trial
            shutil.rmtree(os.path.join(cls.root, state), ignore_errors=True)
        roots.apt(cls.root, "update")
        roots.apt(cls.root, "purge", "glovebox", check=False)
        roots.apt(cls.root, "install", PACKAGE)
        cls.machine = subprocess.Popen([*roots.enter(cls.root, "--machine"), "/usr/bin/env", "container=trial", "/lib/systemd/systemd"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            cls.wait_until(lambda: cls.command("systemctl", "is-system-running", "--wait").stdout.strip() in ("running", "degraded"), "the machine booted")
            if cls.command("id", "ada").returncode != 0:
                cls.command("useradd", "--create-home", "ada")
            # Once more, as on a machine that is up: booting has made the user of the service.
            for words in (["dpkg", "--purge", "glovebox"], ["userdel", "glovebox"], ["dpkg", "--install", PACKAGE]):
                done = cls.command(*words)
                if done.returncode != 0:
                    raise AssertionError(f"{' '.join(words)}: {done.stdout}")
        except BaseException:
            cls.tearDownClass()
            raise

    @classmethod
    def tearDownClass(cls):
        cls.command("systemctl", "poweroff", "--force")
        try:
            cls.machine.wait(30)
        except subprocess.TimeoutExpired:
            cls.machine.kill()
            cls.machine.wait()
        roots.apt(cls.root, "purge", "glovebox", check=False)

    @classmethod
    def command(cls, *words):
        """A command of root in that machine."""
        with open(f"/proc/{cls.machine.pid}/task/{cls.machine.pid}/children", encoding="ascii") as file:
            first = file.read().split()
        return subprocess.run(["nsenter", "--all", f"--target={first[0] if first else 0}", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", timeout=PATIENCE, check=False, cwd="/",
                              env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8"})

    @classmethod
    def wait_until(cls, holds, what):
        until = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > until or cls.machine.poll() is not None:
                raise AssertionError(f"not within {PATIENCE} seconds: {what}")
            time.sleep(0.2)

    def succeed(self, *words):
        ended = self.command(*words)
        self.assertEqual(ended.returncode, 0, ended.stdout)
        return ended.stdout

    def ask(self, token, *requests):
        return self.command("/usr/bin/python3", "-c", CLIENT, token, *map(json.dumps, requests)).stdout

    def check_service(self, systemctl, as_user, workspace):
        """It starts, serves clients that have a token, runs code in full isolation, goes on after an upgrade, and ends in order."""
        self.succeed(*systemctl, "enable", "--now", "glovebox")
        try:
            self.wait_until(lambda: self.ask("", INITIALIZE) == "401\n", "a client without a token is refused")
            made = self.succeed(*as_user, "glovebox", "token", "new", "--workspace", workspace, "--role", "agent", "--name", "trial", "--json")
            token = json.loads(made)["token"]
            answers = self.ask(token, INITIALIZE, EXECUTE)
            self.assertRegex(answers, r'"result": ?42\b', self.command("journalctl", "--no-pager", "-n", "50").stdout)
            self.assertNotIn('degraded": ["', answers)
            before = self.succeed(*systemctl, "show", "-p", "MainPID", "glovebox")
            self.succeed("dpkg", "--install", PACKAGE)
            self.assertNotEqual(self.succeed(*systemctl, "show", "-p", "MainPID", "glovebox"), before)
            self.wait_until(lambda: '42' in self.ask(token, INITIALIZE, EXECUTE), "the new version serves")
            self.succeed(*systemctl, "stop", "glovebox")
            self.assertEqual(self.succeed(*systemctl, "show", "-p", "Result", "-p", "ExecMainStatus", "glovebox").split(),
                             ["Result=success", "ExecMainStatus=0"])
        except AssertionError:
            print(self.command("journalctl", "--no-pager", "-n", "50").stdout)
            raise
        finally:
            self.command(*systemctl, "disable", "--now", "glovebox")

    def test_as_a_service_of_the_system(self):
        self.check_service(["systemctl"], ["runuser", "-u", "glovebox", "--", "env", "HOME=/var/lib/glovebox"], "/var/lib/glovebox")

    # Last, by its name: the package goes.
    def test_that_is_removed_leaves_what_is_the_owners(self):
        self.succeed("systemctl", "enable", "--now", "glovebox")
        self.succeed("dpkg", "--purge", "glovebox")
        self.assertEqual(self.succeed("find", "/proc", "-maxdepth", "1", "-user", "glovebox"), "", "a process is left")
        self.assertEqual(self.succeed("find", "/etc", "/usr", "-name", "*glovebox*"), "")
        self.succeed("test", "-d", "/var/lib/glovebox")

    def test_as_a_service_of_a_user(self):
        uid = self.command("id", "-u", "ada").stdout.strip()
        self.assertEqual(self.command("systemctl", "start", f"user@{uid}.service").returncode, 0)
        ada = ["runuser", "-u", "ada", "--", "env", "HOME=/home/ada", f"XDG_RUNTIME_DIR=/run/user/{uid}"]
        self.check_service([*ada, "systemctl", "--user"], ada, "/home/ada/.config/glovebox/workspace")


if __name__ == "__main__":
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("skipped: root and debootstrap are needed")
        sys.exit(77)
    unittest.main(verbosity=2)
