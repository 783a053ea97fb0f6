"""asking_server.py PARAMS FILE: an MCP server over stdio with one tool, `ask`, that sends the person a form (PARAMS: JSON of
elicitation/create) and writes to FILE what comes back."""
import json
import sys

waiting = None


def say(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if "method" not in message:
        with open(sys.argv[2], "a", encoding="utf-8") as file:
            file.write(json.dumps(message) + "\n")
        say({"id": waiting, "result": {"content": [{"type": "text", "text": "done"}]}})
    elif message["method"] == "initialize":
        say({"id": message["id"], "result": {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                                             "serverInfo": {"name": "asking", "version": "1"}}})
    elif message["method"] == "tools/list":
        say({"id": message["id"], "result": {"tools": [{"name": "ask", "inputSchema": {"type": "object"}}]}})
    elif message["method"] == "tools/call":
        waiting = message["id"]
        say({"id": "question", "method": "elicitation/create", "params": json.loads(sys.argv[1])})
    elif "id" in message:
        say({"id": message["id"], "error": {"code": -32601, "message": "not here"}})
