"""A gateway that serves HTTP, and clients of it: each has a token, and a session of its own."""
import http.client
import json
import re
import subprocess

import authority


class Gateway:
    """`glovebox serve` over HTTP, as the config says."""

    def __init__(self, workspace, environment):
        self.process = subprocess.Popen([authority.GLOVEBOX, "serve", "--workspace", workspace, "--http", "127.0.0.1:0"], env=environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.port = next(int(found[1]) for line in self.process.stderr if (found := re.search(r"listening on .*:(\d+)/mcp", line)))

    def ask(self, method, path, token, body=None, headers=()):
        """(status, headers, text)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=authority.PATIENCE)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), {
                "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                **({"Authorization": f"Bearer {token}"} if token else {}), **dict(headers)})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def close(self):
        self.process.terminate()
        self.process.wait(authority.PATIENCE)
        self.process.stderr.close()


class HttpClient:
    """One MCP session."""

    def __init__(self, gateway, token, headers=()):
        self.gateway, self.token, self.headers, self.last_id = gateway, token, dict(headers), 0
        status, head, text = self.post("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                                      "clientInfo": {"name": "attacker", "version": "1"}})
        assert status == 200, (status, text)
        self.headers["Mcp-Session-Id"] = head["Mcp-Session-Id"]

    def post(self, method, params):
        self.last_id += 1
        return self.gateway.ask("POST", "/mcp", self.token, {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}, self.headers)

    def request(self, method, params):
        """The message that answers."""
        status, head, text = self.post(method, params)
        assert status == 200, (status, text)
        if "event-stream" in head["Content-Type"]:
            messages = [json.loads(line[6:]) for line in text.split("\n") if line.startswith("data: {")]
        else:
            messages = [json.loads(text)]
        return next(message for message in messages if "id" in message and "method" not in message)

    def tool(self, name, arguments):
        """The result of a tool of the gateway's, or the error of the protocol."""
        answer = self.request("tools/call", {"name": name, "arguments": arguments})
        return answer.get("result") or answer["error"]

    def execute(self, code, **more):
        return self.tool("execute_code", {"code": code, "check": "off", **more})

    def end(self):
        return self.gateway.ask("DELETE", "/mcp", self.token, headers=self.headers)[0]
