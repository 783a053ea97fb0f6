// An upstream server that costs as little as it can: echo { number } → { number }. No SDK, so that what is measured is the gateway.
import { createInterface } from "node:readline";

const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "bench", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object", properties: { number: { type: "number" } } } }] }),
  "tools/call": ({ arguments: { number } }) => ({ content: [], structuredContent: { number } }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: "not here" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\n");
});
