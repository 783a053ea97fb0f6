// An MCP client on the official SDK that runs a program on what a tool gives, without any sandbox. Works in Node and Deno.
//   mcp_reduce.mjs PROGRAM SERVER_COMMAND…
// Speaks as peers/serve_subject.mjs describes, with one command:  reduce BYTES  → { ms, answer }
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [program, command, ...args] = process.argv.slice(2);
const AsyncFunction = (async () => {}).constructor;
const body = new AsyncFunction("context", "call", readFileSync(program, "utf8"));

const client = new Client({ name: "bench", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args }));
const call = async (given) => (await client.callTool({ name: "records", arguments: given })).structuredContent;

console.log(JSON.stringify({ notes: { pid: process.pid } }));
for await (const line of createInterface({ input: process.stdin })) {
  const started = performance.now();
  const answer = await body({ bytes: Number(line.split(" ")[1]) }, call);
  console.log(JSON.stringify({ ms: performance.now() - started, answer }));
}
await client.close();
process.exit(0);
