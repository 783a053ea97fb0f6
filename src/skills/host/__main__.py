"""Runs a folder of skills as one MCP server on standard input and output: python3 -B glovebox-skills FOLDER.

Every class whose name ends in Skill is a namespace, its public methods are tools. Only the standard library is used.
"""

import faulthandler
import os
import sys

from glovebox_skills import keeper

if sys.version_info < (3, 10):
    sys.exit("skills need Python 3.10 or newer, and this is " + sys.version.split()[0])
# A crash is reported in the log, which is our standard error.
faulthandler.enable()
progress = keeper.keep_worker()

# From here on this is the worker. What it needs of ours is imported before any skill can stand in the way, and then
# modules are looked for in the standard library, in installed packages and, last, in the folder of skills.
from glovebox_skills import service  # noqa: E402

folder = os.path.abspath(sys.argv[1])
sys.path[0:1] = []
sys.path.append(folder)
service.serve(folder, progress)
