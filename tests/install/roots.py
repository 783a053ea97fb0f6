"""Systems that are not ours, each in a folder: as their distribution makes them, and entered as a container is."""
import functools
import os
import shutil
import subprocess
import sys

from installed import HERE, Trial


def mirror():
    """Where this system has its own packages from."""
    targets = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"], check=True,
                             stdout=subprocess.PIPE, encoding="utf-8").stdout
    return next(line.split()[0] for line in targets.splitlines() if "-" not in line.split()[1])


@functools.cache
def root_of(roots, suite, *more):
    """A minimal system with Python, for the server of the trial, and the packages `more`. Made once, and kept in `roots`."""
    root = os.path.join(roots, "-".join([suite, *more[:1]]))
    if not os.path.exists(root + "/made"):
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", "--include=" + ",".join(["python3", *more]), suite, root, mirror()], check=True,
                       stdout=subprocess.DEVNULL)
        with open(root + "/made", "w", encoding="ascii"):
            pass
    # An earlier trial that was interrupted may have left apt in the middle of something.
    for words in (["--configure", "-a"], ["--purge", "--force-remove-reinstreq", "glovebox"]):
        subprocess.run([*enter(root), "dpkg", *words], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.copy("/etc/resolv.conf", root + "/etc/resolv.conf")
    return root


def enter(root, *options):
    return [sys.executable, os.path.join(HERE, "enter.py"), *options, root]


def inside(root, glovebox, user=None, *options, before=()):
    """A user of the program in that root."""
    return Trial(glovebox, user, [*before, *enter(root, *options, f"--user={user or 0}")], root)


def apt(root, *words, check=True):
    """apt-get in that root, as a script calls it."""
    command = [*enter(root), "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y", "--no-install-recommends", *words]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    if check and ended.returncode != 0:
        raise OSError(f"apt-get {' '.join(words)}: {ended.stdout}{ended.stderr}")
    return ended
