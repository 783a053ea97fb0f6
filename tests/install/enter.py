#!/usr/bin/env python3
"""enter.py [OPTION ...] ROOT COMMAND ...: runs a command in a root of its own, as a container would, but for what OPTIONs take away.

A container changes its root by pivot_root: in a mere chroot the kernel allows no user namespaces.
"""
import argparse
import ctypes
import os
import signal
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWPID, NEWNET = 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x20000000, 0x40000000
READ_ONLY, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 32, 4096, 16384, 1 << 18
PIVOT_ROOT, DETACH = 155, 2
LANDLOCK_CREATE_RULESET, LANDLOCK_RESTRICT_SELF = 444, 446
SET_PARENT_DEATH_SIGNAL, SET_NO_NEW_PRIVILEGES = 1, 38


def must(result, what):
    if result != 0:
        sys.exit(f"enter.py: {what}: {os.strerror(ctypes.get_errno())}")


def mount(source, target, kind=None, flags=0):
    kind = kind.encode() if kind else None
    must(LIBC.mount(source.encode(), target.encode(), kind, ctypes.c_ulong(flags), None), f"mount {target}")


def put(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def control_groups():
    with open("/proc/self/mounts", encoding="utf-8") as file:
        return next(line.split()[1] for line in file if line.split()[2] == "cgroup2")


def begin_machine():
    """What follows is process 1 of a machine of its own, as far as a process can tell. It ends with this one."""
    group = f"{control_groups()}/glovebox-trial-{os.getpid()}"
    os.mkdir(group)
    must(LIBC.unshare(NEWPID | NEWUTS | NEWIPC | NEWNET), "unshare")
    first = os.fork()
    if first:
        os.waitpid(first, 0)
        for folder, _, _ in os.walk(group, topdown=False):
            os.rmdir(folder)
        sys.exit(0)
    must(LIBC.prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0), "prctl")
    put(group + "/cgroup.procs", "0")
    must(LIBC.unshare(NEWCGROUP), "unshare")


def forbid_mounts():
    """User namespaces can be made but give no right to mount, as where AppArmor restricts them: Landlock's rules allow no process to mount."""
    make_block_devices = (ctypes.c_uint64 * 1)(1 << 11)
    rules = LIBC.syscall(LANDLOCK_CREATE_RULESET, make_block_devices, ctypes.c_size_t(8), 0)
    must(0 if rules >= 0 else -1, "landlock_create_ruleset")
    must(LIBC.prctl(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")
    must(LIBC.syscall(LANDLOCK_RESTRICT_SELF, rules, 0), "landlock_restrict_self")
    os.close(rules)


def enter(root, options):
    if options.machine:
        begin_machine()
    must(LIBC.unshare(NEWNS | (NEWNET if options.no_network else 0)), "unshare")
    mount("none", "/", None, RECURSIVE | PRIVATE)
    mount(root, root, None, BIND | RECURSIVE)
    mount(root + "/tmp", root + "/tmp", None, BIND)  # the owner's data is in a volume
    mount("dev", root + "/dev", "tmpfs")
    for device in ("null", "zero", "full", "random", "urandom", "tty"):
        put(f"{root}/dev/{device}", "")
        mount("/dev/" + device, f"{root}/dev/{device}", None, BIND)
    if not options.no_shared_memory:
        os.mkdir(root + "/dev/shm")
        mount("shm", root + "/dev/shm", "tmpfs")
    if options.machine:
        os.symlink("pts/ptmx", root + "/dev/ptmx")
        for kind, place in (("proc", "proc"), ("sysfs", "sys"), ("tmpfs", "run"), ("cgroup2", "sys/fs/cgroup")):
            mount(kind, f"{root}/{place}", kind)
    else:
        mount("/proc", root + "/proc", None, BIND | RECURSIVE)
    os.chdir(root)
    must(LIBC.syscall(PIVOT_ROOT, b".", b"."), "pivot_root")
    must(LIBC.umount2(b".", DETACH), "umount")
    os.chdir("/tmp")
    if options.read_only:
        mount("none", "/", None, REMOUNT | BIND | READ_ONLY)
    if options.no_proc:
        must(LIBC.umount2(b"/proc", DETACH), "umount /proc")
    if options.user:
        os.setgroups([])
        os.setresgid(options.user, options.user, options.user)
        os.setresuid(options.user, options.user, options.user)
    if options.no_mounts:
        forbid_mounts()


def main():
    parser = argparse.ArgumentParser()
    for name in ("--no-network", "--no-shared-memory", "--no-proc", "--no-mounts", "--read-only", "--machine"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--user", type=int, default=0)
    parser.add_argument("root")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    enter(os.path.realpath(options.root), options)
    os.execvp(options.command[0], options.command)


main()
