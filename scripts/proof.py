"""docs/proof.md: one row per stage of `make prove`, written when that stage has ended. Rows of other stages stay, so that a
proof that is interrupted keeps what it has proven."""
import datetime
import os
import re
import subprocess

FILE = "docs/proof.md"
HEAD = """# The last proof

`make prove` writes a row when a stage has ended; `make prove STAGES="fuzz soak"` runs some of them.
What each one holds is in [CONTRIBUTING.md](../CONTRIBUTING.md#what-is-proven-where). A commit that
ends with `-dirty` had changes that are not in it.

| stage | date | commit | cores | minutes | passed | failed | skipped | figures |
|---|---|---|---|---|---|---|---|---|
"""


def commit():
    """Of the tree without its proof, which is written while it is made."""
    def git(*arguments):
        return subprocess.run(["git", *arguments], capture_output=True, text=True, check=False).stdout.strip()
    name = git("rev-parse", "--short", "HEAD") or "no commit"
    return name + ("-dirty" if git("status", "--porcelain", "--", ".", f":!{FILE}") else "")


def record(stages, stage, seconds, counts, figures):
    """`stages`: all of them, in the order of the table. `counts`: passed, failed, skipped."""
    rows = {}
    if os.path.exists(FILE):
        with open(FILE, encoding="utf-8") as file:
            rows = {found[1]: found[0] for found in re.finditer(r"^\| (\w+) \|.*$", file.read(), re.MULTILINE)
                    if found[1] in stages}
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    cells = [stage, today, commit(), os.cpu_count(), f"{seconds / 60:.1f}", *counts, figures.replace("|", "/")]
    rows[stage] = "| " + " | ".join(str(cell) for cell in cells) + " |"
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(rows[name] + "\n" for name in stages if name in rows))
    os.replace(FILE + ".new", FILE)
