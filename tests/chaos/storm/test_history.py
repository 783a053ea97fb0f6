"""The checker itself: each invariant of docs/decisions/03-history.md is broken once, and noticed."""
import os
import sqlite3
import tempfile
import unittest

import history

TABLES = """
CREATE TABLE workflow_tasks (workflow, id, status, ended);
CREATE TABLE runs (id, status, outcome);
CREATE TABLE workflow_commands (workflow, type, payload);
CREATE TABLE workflows (id, last_event);
CREATE TABLE workflow_events (workflow, number);
"""


def made(n, phases="begin effect end", key="k", tool="post"):
    return [{"phase": phase, "tool": tool, "n": n, "key": key} for phase in phases.split()]


class Checker(unittest.TestCase):
    def check(self, log, rows=(), owner=("task", "w", "t")):
        file = tempfile.NamedTemporaryFile(delete=False, suffix=".db")
        self.addCleanup(os.remove, file.name)
        store = sqlite3.connect(file.name)
        store.executescript(TABLES)
        for table, *values in rows:
            store.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(values))})", values)
        store.commit()
        store.close()
        wrong, _ = history.check({"n": log}, history.Record(file.name), lambda n: owner)
        return [line.split(":")[0] for line in wrong]

    DONE = ("workflow_tasks", "w", "t", "completed", 1)
    RETRY = ("workflow_commands", "w", "approval_response", '{"task": "t", "decision": "retry"}')

    def test_good_histories(self):
        self.assertEqual(self.check(made("n"), [self.DONE]), [])
        self.assertEqual(self.check(made("n", "begin") + made("n"), [self.DONE, self.RETRY]), [])
        self.assertEqual(self.check(made("n", "begin"), [("workflow_tasks", "w", "t", "unknown", None)]), [])
        self.assertEqual(self.check(made("n", tool="get") + made("n", tool="get"), [self.DONE]), [])
        self.assertEqual(self.check(made("n"), [("runs", "r", "finished", "{}")], ("run", "r")), [])

    def test_each_invariant(self):
        self.assertEqual(self.check(made("n") + made("n"), [self.DONE]), ["once"])
        self.assertEqual(self.check(made("n") + made("n") + made("n"), [self.DONE, self.RETRY]), ["once"])
        self.assertEqual(self.check(made("n"), []), ["known first"])
        self.assertEqual(self.check(made("n", "begin"), [self.DONE]), ["no claim"])
        self.assertEqual(self.check(made("n") + made("n", key="other"), [self.DONE, self.RETRY]), ["one key"])
        self.assertEqual(self.check(made("n"), [self.DONE], owner=None), ["nothing invented"])
        self.assertEqual(self.check(made("n"), [("workflow_tasks", "w", "t", "failed", 1)]), ["no failure"])
        self.assertEqual(self.check(made("n"), [self.DONE, ("workflows", "w", 2), ("workflow_events", "w", 1)]), ["events"])
        self.assertEqual(self.check(made("n") + made("n"), [("runs", "r", "failed", "{}")], ("run", "r")), ["once"])


if __name__ == "__main__":
    unittest.main()
