"""The history checker: every call that the logging server has seen against what the store says of it.

docs/decisions/03-history.md has the model and the invariants, by these names. A Call is what the server wrote down; a Task or Run is
the store's record. `check` returns one line for each invariant that does not hold, and counts what happened.
"""
import collections
import json
import os
import sqlite3

IDEMPOTENT = {"get"}


def read_log(path):
    """{n: [line of the log]} in the order in which they were written; a last line that was cut off is none."""
    calls = collections.defaultdict(list)
    if not os.path.exists(path):
        return calls
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                entry = json.loads(line)
                calls[entry["n"]].append(entry)
    return calls


class Record:
    """What the store knows, read from a copy that `glovebox store export` has made of it, whichever kind it is."""

    def __init__(self, exported):
        store = sqlite3.connect(f"file:{exported}?mode=ro", uri=True)
        rows = lambda sql: store.execute(sql).fetchall()  # noqa: E731
        self.tasks = {(workflow, task): {"status": status, "ended": ended} for workflow, task, status, ended in
                      rows("SELECT workflow, id, status, ended FROM workflow_tasks")}
        self.runs = {run: {"status": status, "outcome": json.loads(outcome or "{}")} for run, status, outcome in
                     rows("SELECT id, status, outcome FROM runs")}
        self.decisions = collections.Counter()  # of people, about a task whose outcome is unknown
        for workflow, payload in rows("SELECT workflow, payload FROM workflow_commands WHERE type = 'approval_response'"):
            said = json.loads(payload)
            if "decision" in said:
                self.decisions[workflow, said["task"], said["decision"]] += 1
        self.gaps = [workflow for workflow, last, count, top in rows(
            "SELECT id, last_event, (SELECT count(*) FROM workflow_events WHERE workflow = id), "
            "(SELECT coalesce(max(number), 0) FROM workflow_events WHERE workflow = id) FROM workflows") if not last == count == top]
        store.close()


def check(log, record, owner_of):
    """`owner_of(n)` gives what made call n: ("task", workflow, task) or ("run", run). Returns (violations, counts)."""
    wrong, counts = [], collections.Counter()
    for workflow in record.gaps:
        wrong.append(f"events: those of {workflow} have a gap")
    for n, lines in log.items():
        tool = lines[0]["tool"]
        begun = sum(line["phase"] == "begin" for line in lines)
        effects = sum(line["phase"] == "effect" for line in lines)
        counts["calls"] += begun
        counts["effects"] += effects
        if len({line["key"] for line in lines}) != 1:
            wrong.append(f"one key: call {n} has {sorted({str(line['key']) for line in lines})}")
        owner = owner_of(n)
        if owner is None:
            wrong.append(f"nothing invented: call {n} belongs to nothing that was asked for")
            continue
        if owner[0] == "task":
            task = record.tasks.get(owner[1:])
            allowed = 1 + record.decisions[(*owner[1:], "retry")]
            done, known = task and task["status"] == "completed", task is not None
            settled = record.decisions[(*owner[1:], "done")] + record.decisions[(*owner[1:], "skip")]
        else:
            run = record.runs.get(owner[1])
            allowed, settled, known = 1, 0, run is not None
            done = run and run["status"] == "finished"
        if not known:
            wrong.append(f"known first: call {n} was made, and the store knows nothing of {owner}")
        if tool not in IDEMPOTENT:
            counts["repeated by decision"] += max(0, begun - 1)
            if begun > allowed:
                wrong.append(f"once: call {n} was begun {begun} times, and {allowed - 1} repetitions were decided")
        else:
            counts["repeated, idempotent"] += max(0, begun - 1)
        if done and effects == 0 and not settled:
            wrong.append(f"no claim: {owner} is done, and call {n} has had no effect")
    for (workflow, task), row in record.tasks.items():
        counts[row["status"]] += 1
        if row["status"] == "failed":
            wrong.append(f"no failure: task {task} of {workflow} has failed, and no tool did")
    return wrong, counts
