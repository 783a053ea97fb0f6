// How long search_tools takes while a large catalogue is embedded for the first time: a gateway with four servers and the
// tools of all sets, repeated under other names. `bench/search_cold.mjs FOLDER [TOOLS [SECONDS]]`; part of make
// bench-search. After so many seconds it stops watching.
import { mkdtempSync, readFileSync, readdirSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tree_cpu_ms } from "./report/process_tree.mjs";
import { StdioGateway } from "./report/stdio_gateway.mjs";

const here = fileURLToPath(import.meta.url);
const program = join(dirname(here), "../build/bin/glovebox");
const SERVERS = 4;
const PAUSE_MS = 250;

const lines_of = (file) => readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const at_share = (sorted, share) => sorted[Math.max(Math.ceil(share * sorted.length), 1) - 1];

// One of the servers: it lists the tools of a file.
function serve(file) {
  const tools = JSON.parse(readFileSync(file, "utf8"));
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answers = {
      initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "many", version: "1" } }),
      "tools/list": () => ({ tools }),
      ping: () => ({}),
    };
    const answer = answers[method] ? { result: answers[method]() } : { error: { code: -32601, message: "unknown" } };
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\n");
  });
}

async function measure(folder, count, seconds) {
  const sets = readdirSync(folder).map((name) => join(folder, name)).filter((set) => existsSync(join(set, "tools.jsonl")));
  const known = sets.flatMap((set) => lines_of(join(set, "tools.jsonl")));
  const intents = sets.flatMap((set) => lines_of(join(set, "queries.jsonl")).slice(0, 150)).map(({ query }) => query);
  const workspace = mkdtempSync(join(tmpdir(), "glovebox-search-cold-"));
  const servers = {};
  for (let server = 0; server < SERVERS; ++server) {
    const tools = [];
    for (let i = server; i < count; i += SERVERS) {
      const { name, description, inputSchema } = known[i % known.length];
      tools.push({ name: `${name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 100)}_${i}`, description, inputSchema: { type: "object", ...inputSchema } });
    }
    const file = join(workspace, `tools${server}.json`);
    writeFileSync(file, JSON.stringify(tools));
    servers[`many${server}`] = { command: process.execPath, args: [here, "--serve", file] };
  }
  writeFileSync(join(workspace, "glovebox.json"), JSON.stringify({ permissions: { allow: ["*"] }, mcpServers: servers }));
  const gateway = await StdioGateway.start([program, "serve", "--workspace", workspace, "--log-level", "error"], { GLOVEBOX_TRUSTED_FOLDERS: tmpdir() });
  try {
    const search = (n) => gateway.call("search_tools", { intent: intents[(n * 37) % intents.length] });
    const began = performance.now();
    const meanwhile = [];
    let asked = 0;
    const first = await search(asked++);
    let complete = 0;
    while (complete < 2 && performance.now() - began < seconds * 1e3) {
      const { structured, ms } = await search(asked++);
      // The note of an answer that was made without some of the vectors.
      complete = /still indexing/.test(structured.note ?? "") ? 0 : complete + 1;
      if (complete === 0) meanwhile.push(ms);
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
    const took = performance.now() - began;
    const cpu = tree_cpu_ms(gateway.pid);
    const after = [];
    while (after.length < 100) after.push((await search(asked++)).ms);
    const figures = (list) => {
      const sorted = [...list].sort((a, b) => a - b);
      return `${sorted.length} | ${[0.5, 0.95, 0.99, 1].map((share) => (at_share(sorted, share) ?? NaN).toFixed(1)).join(" | ")}`;
    };
    console.log(`${count} tools: first answer after ${(first.ms / 1e3).toFixed(1)} s, with the start of ${SERVERS} servers; embedding watched for ${(took / 1e3).toFixed(1)} s (${(cpu / 1e3).toFixed(1)} s CPU)\n`);
    console.log("| search_tools, ms by the clock | searches | p50 | p95 | p99 | most |\n|---|---|---|---|---|---|");
    console.log(`| while tools are embedded | ${figures(meanwhile)} |\n| ${complete < 2 ? "the same, without pauses between them" : "after"} | ${figures(after)} |`);
  } finally {
    await gateway.stop();
    rmSync(workspace, { recursive: true, force: true });
  }
}

if (process.argv[2] === "--serve") serve(process.argv[3]);
else await measure(process.argv[2], Number(process.argv[3] ?? 18_600), Number(process.argv[4] ?? 600));
