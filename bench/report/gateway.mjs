// `glovebox serve` as a client sees it, on the official SDK and over stdio:
//   call     one tool call from code in the sandbox, against the SDK calling the same server directly
//   execute  the round trip of execute_code; execute_typed of TypeScript, which is checked
//   privacy  the same with the filter of private data and without, in turn
//   reduce   a tool result of 10 MB that becomes 500 bytes, against Deno and Node doing the same with the SDK and no sandbox
import { fileURLToPath } from "node:url";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { children_of, command_line_of, memory_of, tree_cpu_ms } from "./process_tree.mjs";
import { median, summary_of } from "./statistics.mjs";
import { SubjectProcess } from "./subject_process.mjs";

const REDUCED_BYTES = 10_000_000;
const CALLS_PER_RUN = 100;

const calls_in_sandbox = 'for (let i = 0; i < context.count; i++) await mcp.bench.echo({ text: "number " + i })';

const server_command = (paths) => [paths.node, join(paths.bench, "peers/mcp_server.mjs")];

// A config that is named is trusted.
const serve = (folder) => ["serve", "--workspace", folder, "--config", join(folder, "glovebox.json")];

const state_folder = fileURLToPath(new URL("../../build/bench/state", import.meta.url));

async function connect(command, ...args) {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const transport = new StdioClientTransport({ command, args, stderr: "ignore", env: { XDG_STATE_HOME: state_folder } });
  await client.connect(transport);
  return { client, pid: transport.pid };
}

function make_workspace(paths, name = "gateway") {
  const folder = join(paths.work, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [command, ...args] = server_command(paths);
  writeFileSync(join(folder, "glovebox.json"), JSON.stringify({ mcpServers: { bench: { command, args } }, permissions: { allow: ["bench"] } }));
  return folder;
}

async function execute(gateway, code, context = {}, language = "javascript") {
  const { structuredContent, isError, _meta } = await gateway.client.callTool({ name: "execute_code", arguments: { code, language, context } });
  if (isError || structuredContent.error) throw new Error(`execute_code: ${JSON.stringify(structuredContent).slice(0, 300)}`);
  return { ..._meta["glovebox/run"], ...structuredContent };
}

async function direct_calls(client, count) {
  const ms = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await client.callTool({ name: "echo", arguments: { text: `number ${i}` } });
    ms.push(performance.now() - started);
  }
  return ms;
}

// A guest has no clock of its own that is fine enough, so what a call costs it is the time of a run divided by its calls,
// against the same mean of the SDK. The run's own beginning is part of that. Single calls are as the gateway sees them.
async function measure_call(paths, gateway, rounds) {
  const sdk = await connect(...server_command(paths));
  const means = { direct: [], sandbox: [] };
  const single = { direct: [], sandbox: [] };
  try {
    for (let round = -1; round < rounds; round++) {  // the first one warms both
      const direct = await direct_calls(sdk.client, CALLS_PER_RUN);
      const { metrics, trace } = await execute(gateway, calls_in_sandbox, { count: CALLS_PER_RUN });
      if (metrics.toolCalls !== CALLS_PER_RUN) throw new Error(`${metrics.toolCalls} calls`);
      if (round < 0) continue;
      means.direct.push(direct.reduce((sum, ms) => sum + ms, 0) / CALLS_PER_RUN);
      means.sandbox.push(metrics.executionTimeMs / CALLS_PER_RUN);
      single.direct.push(...direct);
      single.sandbox.push(...trace.map(({ durationMs }) => durationMs));
    }
  } finally {
    await sdk.client.close();
  }
  const both = ({ direct, sandbox }) => ({ direct: summary_of(direct), sandbox: summary_of(sandbox) });
  return { means: both(means), single: both(single), added_p50_ms: median(means.sandbox) - median(means.direct) };
}

const programs = {
  javascript: (i) => `return 1 + ${i}`,
  typescript: (i) => `const n: number = ${i}; return (1 + n) as number`,
};

async function measure_execute(gateway, samples, language = "javascript") {
  for (let i = 0; i < 20; i++) await execute(gateway, programs[language](-i), {}, language);
  const servers = upstream_pids(gateway.pid);
  const cpu_before = tree_cpu_ms(gateway.pid, servers);
  const ms = [];
  for (let i = 0; i < samples; i++) {
    const started = performance.now();
    const { result } = await execute(gateway, programs[language](i), {}, language);
    ms.push(performance.now() - started);
    if (result !== 1 + i) throw new Error(`wrong answer: ${result}`);
  }
  return { ms: summary_of(ms), cpu_ms_per_run: (tree_cpu_ms(gateway.pid, servers) - cpu_before) / samples, gateway_mib: memory_of(gateway.pid).rss };
}

// Forty records of 100 bytes with an address in each, given twice as every result is: as text and as JSON.
const people = (i) => `return Array.from({ length: 40 }, (_, n) => ({ id: n, mail: "user" + n + "@example.com", text: "row " + n + " of run ${i}, with nothing in it that anybody would mind" }))`;

async function measure_privacy(paths, samples) {
  const gateways = {
    on: await connect(paths.glovebox, ...serve(make_workspace(paths, "privacy_on"))),
    off: await connect(paths.glovebox, ...serve(make_workspace(paths, "privacy_off")), "--no-pii-protection"),
  };
  const programs_for = { small: programs.javascript, people };
  const ms = { small: { on: [], off: [] }, people: { on: [], off: [] } };
  try {
    for (let i = -20; i < samples; i++) {  // the first ones warm both
      for (const [program, code] of Object.entries(programs_for)) {
        for (const which of i % 2 ? ["on", "off"] : ["off", "on"]) {
          const started = performance.now();
          await execute(gateways[which], code(i));
          if (i >= 0) ms[program][which].push(performance.now() - started);
        }
      }
    }
  } finally {
    for (const { client } of Object.values(gateways)) await client.close();
  }
  return Object.fromEntries(Object.entries(ms).map(([program, { on, off }]) =>
    [program, { on: summary_of(on), off: summary_of(off), added_percent: (median(on) / median(off) - 1) * 100 }]));
}

// The server's own work is the same for all and is left out of what they are compared by.
function upstream_pids(root) {
  const found = [];
  const visit = (pid) => {
    for (const child of children_of(pid)) {
      if (command_line_of(child).some((word) => word.endsWith("mcp_server.mjs"))) found.push(child);
      else visit(child);
    }
  };
  visit(root);
  return found;
}

// One that is measured: reduce() → { ms, answer }; its process is `pid`.
async function sdk_peer(paths, command) {
  const subject = await SubjectProcess.start({
    command: [...command, join(paths.bench, "peers/mcp_reduce.mjs"), join(paths.programs, "reduce_records.js"), ...server_command(paths)],
    env: { DENO_DIR: join(paths.work, "deno_dir"), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
  });
  return { pid: subject.notes.pid, reduce: () => subject.ask(`reduce ${REDUCED_BYTES}`), stop: () => subject.stop() };
}

function gateway_peer(paths, gateway) {
  const code = "const call = mcp.bench.records;\n" + readFileSync(join(paths.programs, "reduce_records.js"), "utf8");
  const reduce = async () => {
    const started = performance.now();
    const { result, metrics } = await execute(gateway, code, { bytes: REDUCED_BYTES });
    return { ms: performance.now() - started, answer: result, bytes_in: metrics.toolResultBytes, bytes_out: metrics.resultBytes };
  };
  return { pid: gateway.pid, reduce, stop: async () => {} };
}

async function measure_reduce(paths, gateway, samples) {
  const peers = {
    glovebox: gateway_peer(paths, gateway),
    deno: await sdk_peer(paths, [paths.deno, "run", "--allow-all", "--no-lock"]),
    node: await sdk_peer(paths, [paths.node]),
  };
  const figures = {};
  try {
    const expected = JSON.stringify((await peers.node.reduce()).answer);
    for (const [name, peer] of Object.entries(peers)) {
      await peer.reduce();
      figures[name] = { ms: [], cpu_ms: 0, servers: upstream_pids(peer.pid) };
    }
    for (let i = 0; i < samples; i++) {
      for (const [name, peer] of Object.entries(peers)) {
        const figure = figures[name];
        const cpu_before = tree_cpu_ms(peer.pid, figure.servers);
        const { ms, answer, bytes_in, bytes_out } = await peer.reduce();
        figure.cpu_ms += tree_cpu_ms(peer.pid, figure.servers) - cpu_before;
        figure.ms.push(ms);
        if (JSON.stringify(answer) !== expected) throw new Error(`${name} gives another answer`);
        Object.assign(figure, { bytes_in, bytes_out });
      }
    }
    return Object.fromEntries(Object.entries(figures).map(([name, { ms, cpu_ms, bytes_in, bytes_out }]) =>
      [name, { ms: summary_of(ms), cpu_ms: cpu_ms / samples, peak_mib: memory_of(peers[name].pid).peak, bytes_in, bytes_out }]));
  } finally {
    for (const peer of Object.values(peers)) await peer.stop();
  }
}

// → { call: { means, single, added_p50_ms }, execute: { ms, cpu_ms_per_run, gateway_mib }, privacy: { small, people }, reduce: { glovebox, deno, node } }
export async function measure_gateway(paths, with_glovebox, plan, progress) {
  if (!with_glovebox || !existsSync(paths.gateway)) return null;
  const figures = {};
  const attempt = async (name, measure) => {
    progress(`gateway: ${name}`);
    try {
      figures[name] = await measure();
    } catch (error) {
      figures[name] = { error: String(error.message ?? error) };
    }
  };
  const gateway = await connect(paths.glovebox, ...serve(make_workspace(paths)), "--no-cache");
  try {
    await attempt("execute", () => measure_execute(gateway, 50 * plan.rounds));
    await attempt("execute_typed", () => measure_execute(gateway, 25 * plan.rounds, "typescript"));
    await attempt("privacy", () => measure_privacy(paths, 50 * plan.rounds));
    await attempt("call", () => measure_call(paths, gateway, 5 * plan.rounds));
    await attempt("reduce", () => measure_reduce(paths, gateway, 2 * plan.program_samples));
  } finally {
    await gateway.client.close();
  }
  return figures;
}
