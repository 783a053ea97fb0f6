"""recording_server.py FILE: an MCP server over stdio whose tools do nothing but write their calls to FILE. `slow` never answers. Their
description is what FILE.description says, if there is one."""
import json
import os
import sys

TOOLS = ["read_file", "write_file", "delete_file", "pay", "find", "send", "slow"]


def answer(message):
    if message["method"] == "initialize":
        return {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "recording", "version": "1"}}
    if message["method"] == "tools/list":
        described = sys.argv[1] + ".description"
        description = open(described, encoding="utf-8").read() if os.path.exists(described) else "Does it."
        return {"tools": [{"name": name, "description": description, "inputSchema": {"type": "object"}} for name in TOOLS]}
    if message["method"] == "tools/call":
        with open(sys.argv[1], "a", encoding="utf-8") as file:
            file.write(json.dumps(message["params"]) + "\n")
        result = {"content": [{"type": "text", "text": "done"}]}
        if message["params"]["name"] == "find":
            result["structuredContent"] = {"mail": "bob@example.com"}
        return result
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = answer(message)
    if message.get("params", {}).get("name") == "slow":
        continue
    reply = {"result": result} if result is not None else {"error": {"code": -32601, "message": "not here"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
