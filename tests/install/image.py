#!/usr/bin/env python3
"""image.py PACKAGES: uses the OCI image in PACKAGES in containers of Podman, as docs/install.md says to.

It needs root, podman and runc; where one of them is missing it is skipped (77).
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
from installed import PATIENCE, package_in

PACKAGES = os.path.abspath(sys.argv.pop(1))
# Names that the host's own podman does not know.
TAG = "docker.io/library/glovebox:"
# Calls that Docker's own list allows only to root with CAP_SYS_ADMIN.
NOT_IN_DOCKER = {"clone3", "fsconfig", "fsmount", "fsopen", "fspick", "mount", "move_mount", "open_tree", "pivot_root", "setns", "sethostname",
                 "setdomainname", "umount", "umount2", "unshare", "keyctl"}


def output(*words, **more):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, encoding="utf-8", timeout=PATIENCE, **more).stdout


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp(prefix="glovebox-image-")
        cls.podman = ["podman", "--root", cls.top + "/storage", "--runroot", cls.top + "/run", "--storage-driver", "vfs", "--runtime", "runc"]
        archive = package_in(PACKAGES, "*-oci.tar")
        cls.filter = package_in(PACKAGES, "glovebox-seccomp.json")
        cls.image = TAG + os.path.basename(archive).split("-")[1]
        output(*cls.podman, "load", "-q", "-i", archive)
        os.mkdir(cls.top + "/workspace")
        os.chown(cls.top + "/workspace", 65532, 65532)

    @classmethod
    def tearDownClass(cls):
        output(*cls.podman, "system", "reset", "--force")
        shutil.rmtree(cls.top, ignore_errors=True)

    def start(self, *options):
        """The words that start a container as compose.yaml does."""
        return [*self.podman, "run", "--pull=never", "--read-only", "--cap-drop=all", "--security-opt=no-new-privileges", "--tmpfs=/tmp",
                "--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096", "--volume=state:/var/lib/glovebox",
                f"--volume={self.top}/workspace:/workspace", *options, self.image]

    def run_in(self, options, *words):
        return subprocess.run([*self.start("--rm", "--network=none", *options), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8", timeout=PATIENCE, check=False)

    def test_nothing_is_missing_with_the_filter_that_goes_with_it(self):
        ended = self.run_in([f"--security-opt=seccomp={self.filter}"], "doctor", "--json")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_code_runs_with_what_podman_allows_by_itself(self):
        for words in (["-e", "const answer: number = 42; return answer"], ["--lang", "py", "-e", "6 * 7"]):
            ended = self.run_in([], "exec", *words)
            self.assertEqual((ended.returncode, ended.stdout), (0, "42\n"), ended.stderr)

    def test_with_a_filter_like_dockers_own_it_says_what_is_missing(self):
        with open(self.filter, encoding="utf-8") as file:
            profile = json.load(file)
        for rule in profile["syscalls"]:
            rule["names"] = [name for name in rule["names"] if name not in NOT_IN_DOCKER and name != "clone"]
        new_namespaces = 0x7E020000
        profile["syscalls"] += [
            {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": new_namespaces, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}]},
            {"names": sorted(NOT_IN_DOCKER - {"clone3"}), "action": "SCMP_ACT_ERRNO", "errnoRet": 1}]
        path = self.top + "/docker.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(profile, file)
        as_docker = [f"--security-opt=seccomp={path}"]
        refused = self.run_in(as_docker, "exec", "-e", "1")
        self.assertEqual(refused.returncode, 4)
        self.assertIn("--degraded=namespaces", refused.stderr)
        accepted = self.run_in(as_docker, "exec", "--degraded=namespaces", "-e", "6 * 7")
        self.assertEqual((accepted.returncode, accepted.stdout), (0, "42\n"), accepted.stderr)

    def test_it_serves_clients_that_have_a_token_and_ends_in_order(self):
        token = json.loads(self.run_in([], "token", "new", "--role", "agent", "--name", "trial", "--json").stdout)["token"]
        name, port = f"glovebox-{os.getpid()}", 20000 + os.getpid() % 10000
        words = self.start("--detach", f"--name={name}", "--network=host")
        output(*words, "serve", "--http", f"127.0.0.1:{port}")
        try:
            until = time.monotonic() + PATIENCE
            while subprocess.run([*self.podman, "exec", name, "glovebox", "nodes", "--alive"], stdout=subprocess.DEVNULL, check=False).returncode != 0:
                self.assertLess(time.monotonic(), until, output(*self.podman, "logs", name, stderr=subprocess.STDOUT))
                time.sleep(0.2)
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "trial", "version": "1"}}}).encode()
            headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
            address = f"http://127.0.0.1:{port}/mcp"
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(urllib.request.Request(address, body, headers), timeout=PATIENCE)
            self.assertEqual(refused.exception.code, 401)
            with urllib.request.urlopen(urllib.request.Request(address, body, {**headers, "Authorization": "Bearer " + token}), timeout=PATIENCE) as answer:
                self.assertEqual(answer.status, 200)
            output(*self.podman, "stop", "--time=60", name, stderr=subprocess.DEVNULL)
            self.assertEqual(output(*self.podman, "inspect", "--format={{.State.ExitCode}}", name).strip(), "0")
        finally:
            output(*self.podman, "rm", "--force", name)
        self.assertEqual(self.run_in([], "nodes", "--alive").returncode, 4)


if __name__ == "__main__":
    if os.geteuid() != 0 or not shutil.which("podman") or not shutil.which("runc"):
        print("skipped: root, podman and runc are needed")
        sys.exit(77)
    unittest.main(verbosity=2)
