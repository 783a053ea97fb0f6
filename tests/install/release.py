#!/usr/bin/env python3
"""release.py: scripts/release in a clone of this repository, with a `make` that packs nothing."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from installed import SOURCE


class Release(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.mkdtemp(prefix="glovebox-release-")
        self.addCleanup(shutil.rmtree, self.top)
        self.tree = os.path.join(self.top, "tree")
        person = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "Ada"), ("EMAIL", "ada@localhost"))}
        self.environment = {**os.environ, **person, "PATH": f"{self.top}/tools:{os.environ['PATH']}", "HOME": self.top,
                            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
        self.run_in(self.top, "git", "clone", "-q", "--shared", "--no-tags", SOURCE, self.tree)
        # The script as it is now, and something to release.
        shutil.copy(os.path.join(SOURCE, "scripts/release"), os.path.join(self.tree, "scripts/release"))
        with open(os.path.join(self.tree, "CHANGELOG.md"), "w", encoding="utf-8") as file:
            file.write("# Changelog\n\n## Unreleased\n\n- A new thing.\n")
        self.git("commit", "-qam", "to be released")
        os.mkdir(os.path.join(self.top, "tools"))
        self.make_ends_with(0)

    def make_ends_with(self, code):
        path = os.path.join(self.top, "tools/make")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\nexit {code}\n")
        os.chmod(path, 0o755)

    def run_in(self, folder, *words):
        ended = subprocess.run(words, cwd=folder, env=self.environment, stdout=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual(ended.returncode, 0, words)
        return ended.stdout.strip()

    def git(self, *words):
        return self.run_in(self.tree, "git", *words)

    def release(self, *words):
        return subprocess.run(["scripts/release", *words], cwd=self.tree, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8", check=False)

    def text(self, name):
        with open(os.path.join(self.tree, name), encoding="utf-8") as file:
            return file.read()

    def test_has_its_version_everywhere(self):
        old = re.search(r"project\(glovebox VERSION ([0-9.]+)", self.text("CMakeLists.txt"))[1]
        ended = self.release("77.1.0")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(self.git("rev-list", "-n", "1", "v77.1.0"), self.git("rev-parse", "HEAD"))
        self.assertIn("- A new thing.", self.git("tag", "-n99", "-l", "v77.1.0"))
        self.assertRegex(self.text("CHANGELOG.md"), r"## Unreleased\n\n## 77\.1\.0 \(\d{4}-\d\d-\d\d\)\n\n- A new thing\.\n")
        for name, words in (("README.md", "glovebox_77.1.0_amd64.deb"), ("docs/install.md", "find_package(glovebox 77.1 REQUIRED)")):
            self.assertTrue(words in self.text(name), f"{name} has no {words}")
        for name in ("CMakeLists.txt", "README.md", "docs/install.md"):
            self.assertFalse(old in self.text(name), f"{name} has {old}")
        for version, why in (("77.1.0", "is there already"), ("77.0.9", "77.1.0 is newer"), ("77.2.0", "nothing under Unreleased")):
            refused = self.release(version)
            self.assertEqual(refused.returncode, 1, refused.stdout)
            self.assertIn(why, refused.stderr)

    def test_that_fails_leaves_the_tree_as_it_was(self):
        before = self.git("rev-parse", "HEAD")
        self.make_ends_with(1)
        self.assertNotEqual(self.release("77.1.0").returncode, 0)
        self.assertEqual((self.git("rev-parse", "HEAD"), self.git("status", "--porcelain"), self.git("tag")), (before, "", ""))
        self.make_ends_with(0)
        self.assertEqual(self.release("77.1.0", "--no-tag").returncode, 0)
        self.assertEqual(self.git("tag"), "")

    def test_keeps_what_is_not_committed(self):
        with open(os.path.join(self.tree, "notes"), "w", encoding="ascii") as file:
            file.write("mine")
        self.assertEqual(self.release("77.1.0").returncode, 1)
        self.assertEqual(self.text("notes"), "mine")

    def test_has_a_version_of_three_numbers(self):
        for words in ([], ["1.2"], ["v1.2.3"], ["1.2.3", "--force"]):
            self.assertEqual(self.release(*words).returncode, 2, words)


if __name__ == "__main__":
    if not os.path.exists(os.path.join(SOURCE, ".git")):
        print("skipped: this is no clone of the repository")
        sys.exit(77)
    unittest.main(verbosity=2)
