#!/usr/bin/env python3
"""matrix.py BUILD: installs BUILD on systems that are not ours: Debian 11, 12 and 13, and containers that lack something.

It needs root, a network and debootstrap; where one of them is missing it is skipped (77). Roots are kept in BUILD/install-roots.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from installed import HERE, NO_USER_NAMESPACES, NOBODY, SOURCE, Trial

BUILD = os.path.abspath(sys.argv.pop(1))
PREFIX = "/opt/a strange path: ü"
GLOVEBOX = PREFIX + "/bin/glovebox"


def mirror():
    """Where this system has its own packages from."""
    targets = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"], check=True,
                             stdout=subprocess.PIPE, encoding="utf-8").stdout
    return next(line.split()[0] for line in targets.splitlines() if "-" not in line.split()[1])


def root_of(suite):
    """A system as its distribution makes it, with Python for the server of the trial."""
    root = os.path.join(BUILD, "install-roots", suite)
    if not os.path.exists(root + "/usr/bin/python3"):
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", "--include=python3", suite, root, mirror()], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(root + PREFIX, ignore_errors=True)
    subprocess.run(["cmake", "--install", BUILD, "--prefix", root + PREFIX, "--strip"], check=True, stdout=subprocess.DEVNULL)
    return root


def enter(root, *options):
    return [sys.executable, os.path.join(HERE, "enter.py"), *options, root]


def inside(root, user=None, *options, glovebox=GLOVEBOX, before=()):
    """A user of the program in that root."""
    return Trial(glovebox, user, [*before, *enter(root, *options, f"--user={user or 0}")], root)


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
        root = root_of("trixie")
        shutil.copy("/etc/resolv.conf", root + "/etc/resolv.conf")
        shutil.copy(os.path.join(SOURCE, "packaging/apparmor/glovebox"), root + "/tmp/glovebox.apparmor")
        apt = [*enter(root), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y", "--no-install-recommends"]
        for words in (["update"], ["install", "apparmor"]):
            subprocess.run([*apt, *words], check=True, stdout=subprocess.DEVNULL)
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

    def test_without_user_namespaces(self):
        with inside(self.root, NOBODY, before=NO_USER_NAMESPACES) as trial:
            ended = trial.run("exec", "-e", "1")
            self.assertEqual(ended.returncode, 4, ended.stderr)
            self.assertIn("--degraded=namespaces", ended.stderr)
            trial.executes("--degraded=namespaces")
            trial.serves("--degraded=namespaces")


class Debian(unittest.TestCase):
    """The package, by apt, on the Debian that it is made for."""

    def package(self, *version):
        """A package of this build; of a version that is older than it says."""
        top = tempfile.mkdtemp(prefix="glovebox-deb-")
        self.addCleanup(shutil.rmtree, top)
        environment = {**os.environ, "GLOVEBOX_SYSTEM_LIBRARIES": "1", "DESTDIR": top + "/stage"}
        for component in ("Unspecified", "npm"):
            subprocess.run(["cmake", "--install", BUILD, "--prefix", "/usr", "--strip", "--component", component], env=environment, check=True,
                           stdout=subprocess.DEVNULL)
        subprocess.run([os.path.join(SOURCE, "scripts/package_deb"), top + "/stage", top, *version], check=True)
        return next(os.path.join(top, name) for name in os.listdir(top) if name.endswith(".deb"))

    def test_lintian_finds_nothing(self):
        if not shutil.which("lintian"):
            self.skipTest("lintian is needed")
        found = subprocess.run(["lintian", "--fail-on", "error,warning", self.package()], stdout=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual((found.returncode, found.stdout), (0, ""))

    # GLOVEBOX_PREVIOUS_DEB names the package of an older version; without it, this one is labelled as older.
    def test_is_installed_upgraded_used_and_removed(self):
        root = root_of("bookworm")
        shutil.copy("/etc/resolv.conf", root + "/etc/resolv.conf")
        shutil.copy(os.environ.get("GLOVEBOX_PREVIOUS_DEB") or self.package("0.1.0"), root + "/tmp/old.deb")
        shutil.copy(self.package(), root + "/tmp/new.deb")
        apt = [*enter(root), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y", "--no-install-recommends"]
        subprocess.run([*apt, "update"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([*apt, "install", "/tmp/old.deb"], check=True, stdout=subprocess.DEVNULL)
        try:
            with inside(root, NOBODY, glovebox="/usr/bin/glovebox") as trial:
                waiting = trial.begins_what_waits()
                subprocess.run([*apt, "install", "/tmp/new.deb"], check=True, stdout=subprocess.DEVNULL)
                trial.finishes(waiting)
            for file in ("share/man/man1/glovebox-serve.1.gz", "share/bash-completion/completions/glovebox", "lib/systemd/system/glovebox.service"):
                self.assertTrue(os.path.exists(f"{root}/usr/{file}"), file)
            with inside(root, NOBODY, glovebox="/usr/bin/glovebox") as trial:
                trial.executes()
                trial.serves()
                self.assertTrue(os.path.exists(trial.real_home + "/.glovebox"))
        finally:
            subprocess.run([*apt, "purge", "glovebox"], check=True, stdout=subprocess.DEVNULL)
        left = subprocess.run(["find", root + "/usr", root + "/etc", "-name", "*glovebox*"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        self.assertEqual(left, "")


class Packages(unittest.TestCase):
    @unittest.skipUnless(BUILD == os.path.join(SOURCE, "build"), "scripts/package packs build/")
    def test_the_same_build_gives_the_same_bytes(self):
        sums = []
        for _ in range(2):
            subprocess.run([os.path.join(SOURCE, "scripts/package")], check=True, stdout=subprocess.DEVNULL)
            with open(os.path.join(SOURCE, "dist/SHA256SUMS"), encoding="ascii") as file:
                sums.append(file.read())
        self.assertEqual(*sums)
        self.assertEqual(len(sums[0].splitlines()), len(os.listdir(os.path.join(SOURCE, "dist"))) - 1, "every file but the list has a line")


class Npm(unittest.TestCase):
    def test_from_the_registry(self):
        top = tempfile.mkdtemp(prefix="glovebox npm-")
        self.addCleanup(shutil.rmtree, top)
        os.chmod(top, 0o755)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", top + "/stage", "--strip", "--component", "Unspecified"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([os.path.join(SOURCE, "scripts/package_npm"), top + "/stage", top], check=True)
        tarballs = [os.path.join(top, name) for name in os.listdir(top) if name.endswith(".tgz")]
        subprocess.run(["npm", "install", "--global", "--prefix", top + "/prefix", "--no-audit", "--no-fund", "--loglevel=error", *tarballs],
                       check=True, stdout=subprocess.DEVNULL)
        with Trial(top + "/prefix/bin/glovebox", NOBODY) as trial:
            trial.executes()
            trial.serves()
        words = [word for tarball in tarballs for word in ("--package", tarball)]
        once = subprocess.run(["npx", "--yes", *words, "--", "glovebox", "exec", "-e", "6 * 7"], check=True, cwd=top, stdout=subprocess.PIPE, encoding="utf-8",
                              env={**os.environ, "HOME": top + "/home"})
        self.assertEqual(once.stdout, "42\n")
        subprocess.run(["npm", "uninstall", "--global", "--prefix", top + "/prefix", "glovebox", "@glovebox/linux-x64"], check=True, stdout=subprocess.DEVNULL)
        self.assertEqual([name for _, _, names in os.walk(top + "/prefix") for name in names if "package-lock" not in name], [])


if __name__ == "__main__":
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("skipped: root and debootstrap are needed")
        sys.exit(77)
    unittest.main(verbosity=2)
