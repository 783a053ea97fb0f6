#!/usr/bin/env python3
"""enter.py [OPTION ...] ROOT COMMAND ...: runs a command in a root of its own, as a container would, but for what OPTIONs take away.

A container changes its root by pivot_root: in a mere chroot the kernel allows no user namespaces.
"""
import argparse
import ctypes
import os
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWNET = 0x20000, 0x40000000
READ_ONLY, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 32, 4096, 16384, 1 << 18
PIVOT_ROOT, DETACH = 155, 2


def must(result, what):
    if result != 0:
        sys.exit(f"enter.py: {what}: {os.strerror(ctypes.get_errno())}")


def mount(source, target, kind=None, flags=0):
    kind = kind.encode() if kind else None
    must(LIBC.mount(source.encode(), target.encode(), kind, ctypes.c_ulong(flags), None), f"mount {target}")


def put(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def enter(root, options):
    must(LIBC.unshare(NEWNS | (NEWNET if options.no_network else 0)), "unshare")
    mount("none", "/", None, RECURSIVE | PRIVATE)
    mount(root, root, None, BIND | RECURSIVE)
    mount(root + "/tmp", root + "/tmp", None, BIND)  # the owner's data is in a volume
    mount("dev", root + "/dev", "tmpfs")
    for device in ("null", "zero", "full", "random", "urandom"):
        put(f"{root}/dev/{device}", "")
        mount("/dev/" + device, f"{root}/dev/{device}", None, BIND)
    if not options.no_shared_memory:
        os.mkdir(root + "/dev/shm")
        mount("shm", root + "/dev/shm", "tmpfs")
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


def main():
    parser = argparse.ArgumentParser()
    for name in ("--no-network", "--no-shared-memory", "--no-proc", "--read-only"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--user", type=int, default=0)
    parser.add_argument("root")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    enter(os.path.realpath(options.root), options)
    os.execvp(options.command[0], options.command)


main()
