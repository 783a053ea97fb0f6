"""logging_server.py LOG: an MCP server over stdio that writes down what it does, on the disk before it goes on.

`get` may be made twice, `post` and `sign` may not. Each takes `ms` milliseconds, in the middle of which its effect happens. A line of
the log: {"phase": "begin" | "effect" | "end", "tool", "n", "key", "at"}; `n` names the call, `key` is what the gateway knows it by.
"""
import json
import os
import sys
import threading
import time

LOG = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
OUT = threading.Lock()


def note(phase, params):
    line = {"phase": phase, "tool": params["name"], "n": params["arguments"]["n"],
            "key": params.get("_meta", {}).get("glovebox/idempotencyKey"), "at": time.time()}
    os.write(LOG, (json.dumps(line) + "\n").encode())
    os.fsync(LOG)


def say(message):
    with OUT:
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def call(number, params):
    half = params["arguments"].get("ms", 0) / 2000
    note("begin", params)
    time.sleep(half)
    note("effect", params)
    time.sleep(half)
    note("end", params)
    n = params["arguments"]["n"]
    say({"id": number, "result": {"content": [{"type": "text", "text": n}], "structuredContent": {"n": n}}})


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] == "tools/call":
        threading.Thread(target=call, args=(message["id"], message["params"]), daemon=True).start()
    elif message["method"] == "initialize":
        say({"id": message["id"], "result": {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                                             "serverInfo": {"name": "log", "version": "1"}}})
    elif message["method"] == "tools/list":
        schema = {"type": "object", "properties": {"n": {"type": "string"}, "ms": {"type": "number"}}, "required": ["n"]}
        say({"id": message["id"], "result": {"tools": [{"name": name, "inputSchema": schema} for name in ("get", "post", "sign")]}})
    else:
        say({"id": message["id"], "error": {"code": -32601, "message": "not here"}})
