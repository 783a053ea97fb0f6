"""Storms: gateways, servers and databases are killed, stopped, cut off, filled up and damaged while work is under way.

Each case ends with the history checker (history.py, docs/decisions/03-history.md). `make test` runs a sample of seconds; with
GLOVEBOX_PROVE=1, as in `make prove`, each is as long as its promise says. STORM_SEED repeats a case.

  python3 -m unittest -v storms.KillStorm        in this folder, with GLOVEBOX=path of the program
"""
import contextlib
import json
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import threading
import time
import unittest

import place
from place import Place, Postgres, children_of, eventually

PROVE = bool(os.environ.get("GLOVEBOX_PROVE"))
SEED = int(os.environ.get("STORM_SEED") or random.randrange(1 << 30))


def amount(sample, proof):
    return proof if PROVE else sample


def find_store(where):
    for folder, _, files in os.walk(where.environment["XDG_STATE_HOME"]):
        if "glovebox.db" in files:
            return os.path.join(folder, "glovebox.db")
    raise AssertionError("there is no store")


class Storm(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(SEED)

    def postgres(self):
        if not Postgres.programs():
            self.skipTest("PostgreSQL is not installed")
        made = Postgres()
        self.addCleanup(made.close)
        return made

    def place(self, *arguments, **more):
        made = Place(*arguments, **more)
        self.addCleanup(made.close)
        return made

    def say(self, *words):
        print(f"  {self.id()}, seed {SEED}:", *words, flush=True)


class KillStorm(Storm):
    """kill -9 of the gateway at random moments of a workflow with fan-out, approvals and files through an overlay."""

    def storm(self, where, kills, number, wait):
        done = 0
        while done < kills:
            gateway = where.start()
            where.run_workflow(gateway)
            while done < kills:
                time.sleep(self.random.uniform(0.05, 1.2))
                if self.random.random() < 0.5:
                    where.be_a_person()
                gateway.signal(number)
                wait(gateway)
                done += 1
                gateway = where.start()
                if where.have_ended():
                    break
            where.finish()
            gateway.kill()
        where.start()
        where.finish()
        self.say(f"{done} times", where.check())

    def kill(self, where):
        kills = amount(2, 200) if where.postgres else amount(3, 500)
        self.storm(where, kills, signal.SIGKILL, lambda gateway: gateway.kill())

    def test_sqlite(self):
        self.kill(self.place())

    def test_postgres(self):
        self.kill(self.place(self.postgres()))


class TermStorm(KillStorm):
    """SIGTERM: what is under way ends, so that nothing is unknown and no person has to decide."""

    def kill(self, where):
        def leaves(gateway):
            self.assertEqual(gateway.process.wait(place.PATIENCE), 0)
            gateway.process.stderr.close()
        if where.postgres and not PROVE:
            self.skipTest("a part of make prove")
        self.storm(where, amount(2, 100), signal.SIGTERM, leaves)
        counts = where.check()
        self.assertEqual(counts.get("repeated by decision", 0), 0, counts)


class Outage(Storm):
    """The database is away for a while: by `pg_ctl stop`, and by stopping all of its processes. Nothing fails because of it, other
    runs keep their limits, and the loop that answers them does not wait."""

    def outage(self, take_away, bring_back, lengths):
        database = self.postgres()
        where = self.place(database)
        gateway = where.start()
        stood = Watch(gateway)
        for seconds in lengths:
            where.run_workflow(gateway)
            time.sleep(self.random.uniform(0.1, 0.8))
            began = time.monotonic()
            asleep = Asleep(gateway)
            take_away(database)
            self.run_beside(gateway)
            with contextlib.suppress(AssertionError):
                eventually("/readyz says 503", lambda: not gateway.is_ready(), min(seconds, 10))
            time.sleep(max(0, seconds - (time.monotonic() - began)))
            # A direct call would wait for a second.
            self.assertLess(asleep.stop(), 0.3, "the loop waited for something else than its next event")
            bring_back(database)
            where.finish()
        eventually("/readyz says 200", gateway.is_ready)
        warnings = [line for line in gateway.lines if "outageSeconds" in line]
        self.assertLessEqual(len(warnings), len(lengths) + 1, gateway.lines)
        self.assertFalse([line for line in gateway.lines if database.folder in line], "the address is nobody's business")
        self.say(f"{lengths} s; the loop stood for {stood.stop():.2f} s at most", where.check())
        return stood.longest

    def run_beside(self, gateway):
        """Runs that call nothing are answered, and limits hold, while the database is away."""
        self.assertIn("42", json.dumps(gateway.tool("execute_code", {"code": "return 6 * 7"})))
        for code, limit, error in (("for (;;) {}", {"timeoutMs": 300}, "EXECUTION_TIMEOUT"),
                                   ("const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))", {"memoryMB": 64}, "MEMORY_LIMIT")):
            self.assertIn(error, json.dumps(gateway.tool("execute_code", {"code": code, "sandbox_config": limit})))

    def test_stopped_server(self):
        self.outage(Postgres.stop, Postgres.start, amount([2], [1, 5, 15, 31, 60, 120]))

    def test_hanging_server(self):
        def each(number):
            return lambda database: [os.kill(pid, number) for pid in database.processes()]
        longest = self.outage(each(signal.SIGSTOP), each(signal.SIGCONT), amount([3], [1, 5, 15, 45, 120]))
        self.assertLess(longest, 4)


class Watch:
    """How long a gateway's loop has stood still at most, as /healthz sees it."""

    def __init__(self, gateway):
        self.gateway, self.longest, self.going = gateway, 0.0, True
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self):
        while self.going:
            began = time.monotonic()
            with contextlib.suppress(OSError):
                self.gateway.watched("/healthz")
            self.longest = max(self.longest, time.monotonic() - began)
            time.sleep(0.02)

    def stop(self):
        self.going = False
        self.thread.join()
        return self.longest


class Asleep:
    """How long a gateway's loop has slept at most, other than for its next event: in one system call, seen from outside.

    Two samples of the same sleep bound it from below, so a late sample adds nothing to it. The disk of a busy machine takes
    a second or two for a page or a flush. That is no wait for the database; one that lasts beyond DISK_TIME is as bad as that."""

    EVENTS = {"running", "232", "281", "441"}  # epoll_wait, epoll_pwait, epoll_pwait2
    DISK = {"-1", "74", "75"}  # a page that is read, fsync, fdatasync
    DISK_TIME = 5  # seconds for each, which do not count

    def __init__(self, gateway):
        self.task = f"/proc/{gateway.process.pid}/task/{gateway.process.pid}/"
        self.longest, self.samples, self.going = 0.0, 0, True
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self):
        sleep, since = None, 0.0
        while self.going:
            before = time.monotonic()
            with open(self.task + "syscall", encoding="ascii") as file:
                call = file.read().split()[0]
            with open(self.task + "status", encoding="ascii") as file:
                seen = (call, next(line for line in file if line.startswith("voluntary")))
            self.samples += 1
            if call in self.EVENTS or seen != sleep:
                sleep, since = seen, time.monotonic()
            else:
                self.longest = max(self.longest, before - since - (self.DISK_TIME if call in self.DISK else 0))
            time.sleep(0.002)

    def stop(self):
        self.going = False
        self.thread.join()
        assert self.samples > 50, "the loop could not be watched"
        return self.longest


class Proxied(Storm):
    """A TCP proxy between gateway and database that cuts every connection again and again, also right after a COMMIT."""

    def test_cuts(self):
        database = self.postgres()
        proxy = Proxy(database.folder + "/.s.PGSQL.5432")
        self.addCleanup(proxy.close)
        where = self.place(database, address=f"postgresql://glovebox@127.0.0.1:{proxy.port}/postgres")
        gateway = where.start()
        for _ in range(amount(1, 20)):
            where.run_workflow(gateway)
            for _ in range(amount(6, 40)):
                time.sleep(self.random.uniform(0.02, 0.4))
                proxy.cut()
            where.finish()
        self.say(f"{proxy.cuts} connections cut", where.check())


class Proxy:
    """From a port of loopback to a socket."""

    def __init__(self, target):
        import socket  # noqa: PLC0415
        self.target, self.pairs, self.cuts, self.socket = target, [], 0, socket
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = self.socket.socket(self.socket.AF_UNIX)
                try:
                    server.connect(self.target)
                except OSError:
                    client.close()
                    continue
                self.pairs.append((client, server))
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    def _pump(self, one, other):
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        self._end(one)
        self._end(other)

    def _end(self, one):
        with contextlib.suppress(OSError):
            one.shutdown(self.socket.SHUT_RDWR)

    def cut(self):
        pairs, self.pairs = self.pairs, []
        for pair in pairs:
            self.cuts += 1
            for one in pair:
                self._end(one)
                one.close()

    def close(self):
        self.listener.close()
        self.cut()


class StoppedProcesses(Storm):
    """SIGSTOP of every kind of process for a few seconds: the gateway, its tool servers, zygotes and guests, and readers."""

    def stop_each(self, where, seconds):
        gateway, other = where.start(), where.start()
        kinds = {"the gateway": lambda: [gateway.process.pid],
                 "all that it has started": lambda: children_of(gateway.process.pid),
                 "one of them": lambda: self.random.sample(children_of(gateway.process.pid), 1)}
        for kind, pids in kinds.items():
            where.run_workflow(gateway)
            time.sleep(self.random.uniform(0.1, 0.6))
            stopped = pids()
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            # Gateways that are not stopped continue: they answer while these stand still.
            began = time.monotonic()
            self.assertLess(self.seconds_of_a_run(other), 30, f"{kind} is stopped")
            time.sleep(max(0, seconds - (time.monotonic() - began)))
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
            where.finish()
        self.say(where.check())

    def test_sqlite(self):
        self.stop_each(self.place(), amount(1, 20))

    def test_postgres(self):
        if not PROVE:
            self.skipTest("a part of make prove; the hanging server is the sample")
        self.stop_each(self.place(self.postgres()), 20)

    def seconds_of_a_run(self, gateway):
        """The median of three: a lock that is held all the time holds up each of them, a busy machine one."""
        def seconds():
            began = time.monotonic()
            self.assertIn("42", str(gateway.tool("execute_code", {"code": "return 6 * 7"})))
            return time.monotonic() - began
        return statistics.median(seconds() for _ in range(3))

    def test_readers(self):
        """Commands that only read, stopped in the middle, hold up no one."""
        where = self.place()
        gateway = where.start()
        gateway.tool("execute_code", {"code": "return 1"})
        for _ in range(amount(2, 25)):
            for command in (["audit", "verify"], ["runs", "ls"], ["store", "check"]):
                reader = subprocess.Popen([place.GLOVEBOX, *command, "--workspace", where.workspace], env=where.environment,
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(self.random.uniform(0, 0.03))
                reader.send_signal(signal.SIGSTOP)
                self.assertLess(self.seconds_of_a_run(gateway), 5, command)
                reader.kill()
                reader.wait()


class FullDisk(Storm):
    """The disk of the state folder is full: 503 and one warning; with room again everything goes on."""

    def test_full(self):
        where = self.place()
        where.writes_files = False  # they would find no space, like those of any program
        state = where.root + "/home"
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", state], check=False, capture_output=True).returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", state], check=False)
        gateway = where.start()
        for _ in range(amount(1, 10)):
            where.run_workflow(gateway)
            time.sleep(self.random.uniform(0.1, 0.8))
            fill = state + "/fill"
            with contextlib.suppress(OSError), open(fill, "wb", buffering=0) as file:
                while True:
                    file.write(b"x" * 65536)
            eventually("/readyz says 503", lambda: not gateway.is_ready())
            time.sleep(2)
            os.remove(fill)
            eventually("/readyz says 200", gateway.is_ready)
            where.finish()
        warnings = [line for line in gateway.lines if "outageSeconds" in line]
        self.assertLessEqual(len(warnings), amount(1, 10) + 1, gateway.lines)
        self.assertTrue(warnings)
        self.say(where.check())


class NewerSchema(Storm):
    """A newer program changes the tables under a gateway that runs: it stops, in order, and says why."""

    def test_noticed(self):
        where = self.place()
        gateway = where.start()
        where.run_workflow(gateway)
        where.finish()
        store = sqlite3.connect(find_store(where))
        store.execute("INSERT INTO schema_version VALUES (999)")
        store.commit()
        self.assertEqual(gateway.process.wait(place.PATIENCE), 2)
        eventually("it says why", lambda: any("newer glovebox" in line for line in gateway.lines))
        self.assertEqual(where.cli("runs", "ls", check=False).returncode, 4)
        store.execute("DELETE FROM schema_version WHERE version = 999")
        store.commit()
        store.close()
        where.check()


class ClockJumps(Storm):
    """The clock of the machine jumps by days and years while work is under way."""

    def test_jumps(self):
        library = os.environ.get("CLOCK_JUMP")
        if not library:
            self.skipTest("CLOCK_JUMP names no library")
        where = self.place()
        offset = where.root + "/offset"
        with open(offset, "w", encoding="ascii") as file:
            file.write("0")
        gateway = where.start({"LD_PRELOAD": library, "CLOCK_OFFSET": offset})
        day = 86400
        for jump in amount([40 * day, -40 * day], [day, -day, 40 * day, -40 * day, 3650 * day, -365 * day] * 5):
            where.run_workflow(gateway)
            time.sleep(self.random.uniform(0.1, 0.8))
            with open(offset, "w", encoding="ascii") as file:
                file.write(str(jump))
            where.finish()
        self.say(where.check())


class FlippedBits(Storm):
    """A store with flipped bits is refused, reported or read; nothing crashes, nothing hangs."""

    def test_flips(self):
        where = self.place()
        gateway = where.start()
        where.run_workflow(gateway)
        where.finish()
        gateway.kill()
        state = find_store(where)
        with open(state, "rb") as file:
            whole = file.read()
        seen = {}
        for _ in range(amount(3, 200)):
            damaged = bytearray(whole)
            for _ in range(self.random.choice([1, 4, 64, 256])):
                damaged[self.random.randrange(len(damaged))] ^= 1 << self.random.randrange(8)
            with open(state, "wb") as file:
                file.write(damaged)
            for ending in ("-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    os.remove(state + ending)
            for command in (["store", "check"], ["runs", "ls"], ["store", "gc"]):
                code = where.cli(*command, check=False).returncode
                self.assertIn(code, (0, 2, 4, 5), command)
                seen[code] = seen.get(code, 0) + 1
        with open(state, "wb") as file:
            file.write(whole)
        self.say(seen)


class Growth(Storm):
    """Runs without end: latency stays flat, and the store does not grow beyond what it keeps."""

    def test_growth(self):
        where = self.place()
        gateway = where.start()
        total, lines = amount(240, 50_000), 8
        took, lock = [], threading.Lock()

        def client(count):
            mine = place.Gateway.__new__(place.Gateway)
            mine.port, mine.session, mine.last_id = gateway.port, None, 0
            for _ in range(count):
                began = time.monotonic()
                answer = mine.tool("execute_code", {"code": "return 6 * 7"})
                assert "42" in str(answer), answer
                with lock:
                    took.append(time.monotonic() - began)

        clients = [threading.Thread(target=client, args=(total // lines,)) for _ in range(lines)]
        for one in clients:
            one.start()
        for one in clients:
            one.join()
        self.assertEqual(len(took), total // lines * lines)
        tenth = len(took) // 10
        first, last = sorted(took[tenth:2 * tenth])[tenth // 2], sorted(took[-tenth:])[tenth // 2]
        self.say(f"{total} runs; median of the second tenth {first * 1000:.1f} ms, of the last {last * 1000:.1f} ms")
        if PROVE:
            self.assertLess(last, 2 * first)
        state = find_store(where)
        where.cli("store", "gc")
        self.say(f"the store takes {os.path.getsize(state) >> 20} MB")
        where.check()


if __name__ == "__main__":
    unittest.main()
