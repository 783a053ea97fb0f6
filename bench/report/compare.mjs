// `bench/run --against=BUILD`: two builds of Glovebox in one run. Both are alive all the time and take turns in short blocks, in
// random order, so that whatever else the machine does falls on both; CPU time is that of all their processes. A noisy machine
// still moves every figure, so what counts is the ratio.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CpuGroup } from "./cpu_group.mjs";
import { add_to_history, line_of_comparison } from "./history.mjs";
import { median, percentile } from "./statistics.mjs";
import { StdioGateway } from "./stdio_gateway.mjs";
import { SubjectProcess } from "./subject_process.mjs";
import { paths_of } from "./subjects.mjs";

const THROUGHPUT_MS = 700;

// Each block → { runs, ms (median), cpu_ms (as the subject itself counts, where it does) }
const sandbox_block = (command, runs) => async (subject) => {
  const { p50, cpu_ms, runs_per_second } = await subject.ask(command);
  return runs_per_second ? { runs: (runs_per_second * THROUGHPUT_MS) / 1000, ms: 1000 / runs_per_second } : { runs, ms: p50, cpu_ms };
};

let number = 0;
const execute_block = (runs, request) => async (gateway) => {
  const ms = [];
  for (let i = 0; i < runs; i++) {
    const n = ++number;
    const answer = await gateway.execute(request(n));
    if (answer.result !== 1 + n) throw new Error(`wrong answer: ${answer.result}`);
    ms.push(answer.ms);
  }
  return { runs, ms: median(ms) };
};

// The time and CPU of one call of a program that makes many, one after another.
const CALLS_PER_RUN = 100;
const loop_block = (runs, request) => async (gateway) => {
  const { ms } = await execute_block(runs, request)(gateway);
  return { runs: runs * CALLS_PER_RUN, ms: ms / CALLS_PER_RUN };
};

const start_sandbox = (flags) => (build, around) =>
  SubjectProcess.start({ command: around([join(build, "bin/glovebox-bench"), "--serve", ...flags]) });

const start_gateway = (config) => (build, around, folder) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "glovebox.json"), JSON.stringify(config));
  const serve = ["serve", "--workspace", folder, "--config", join(folder, "glovebox.json"), "--no-cache", "--log-level", "error"];
  return StdioGateway.start(around([join(build, "bin/glovebox"), ...serve]), { XDG_STATE_HOME: join(folder, "state") });
};

const javascript = (n) => ({ code: `return 1 + ${n}`, language: "javascript" });
const one_call = (n) => ({ code: `return 1 + (await mcp.bench.echo({ number: ${n} })).number`, language: "javascript" });
const typescript = (n) => ({ code: `const n: number = ${n}; return (1 + n) as number`, language: "typescript" });

const many = (call) => (n) => ({ code: `for (let i = 0; i < ${CALLS_PER_RUN}; i++) await ${call}; return 1 + ${n}`, language: "javascript" });

const server = fileURLToPath(new URL("../peers/echo_server.mjs", import.meta.url));
const with_server = { mcpServers: { bench: { command: process.execPath, args: [server] } }, permissions: { allow: ["bench"] } };

const workloads = [
  { name: "pooled", start: start_sandbox([]), block: sandbox_block("sample 100", 100) },
  { name: "pooled, typed", start: start_sandbox([]), block: sandbox_block("typescript 50", 50) },
  { name: "fork + seal + run", start: start_sandbox(["--pool=0"]), block: sandbox_block("sample 50", 50) },
  { name: "64 at once", start: start_sandbox([]), block: sandbox_block(`throughput 64 ${THROUGHPUT_MS}`) },
  { name: "rewound", start: start_sandbox(["--rewind"]), block: sandbox_block("sample 100", 100) },
  { name: "64 at once, rewound", start: start_sandbox(["--rewind"]), block: sandbox_block(`throughput 64 ${THROUGHPUT_MS}`) },
  { name: "Python", start: start_sandbox([]), block: sandbox_block("python 20", 20) },
  { name: "execute_code", start: start_gateway({}), block: execute_block(50, javascript) },
  { name: "execute_code, one allowed call", start: start_gateway(with_server), block: execute_block(50, one_call) },
  { name: "one of many tool calls", start: start_gateway(with_server), block: loop_block(5, many("mcp.bench.echo({ number: i })")) },
  { name: "one of many small reads", start: start_gateway({ sandbox: { allowRead: [server] } }), block: loop_block(20, many(`Deno.readTextFile(${JSON.stringify(server)})`)) },
  { name: "execute_code, typed and checked", start: start_gateway({}), block: execute_block(25, typescript) },
];

async function measure(workload, builds, rounds, work) {
  const sides = [];
  try {
    for (const [index, build] of builds.entries()) {
      const group = CpuGroup.make(String(index));
      const around = group ? (command) => group.around(command) : (command) => command;
      const side = { group, cpu: [], ms: [] };
      sides.push(side);
      side.subject = await workload.start(build, around, join(work, `compare-${index}`));
      await workload.block(side.subject);  // first-time costs
    }
    for (let round = 0; round < rounds; round++) {
      for (const side of Math.random() < 0.5 ? sides : sides.toReversed()) {
        const before = side.group?.used_ms();
        const { runs, ms, cpu_ms } = await workload.block(side.subject);
        side.ms.push(ms);
        side.cpu.push((side.group ? side.group.used_ms() - before : cpu_ms) / runs);
      }
    }
    return sides.map(({ cpu, ms }) => ({ cpu, ms }));
  } finally {
    for (const { subject, group } of sides) {
      await subject?.stop();
      await group?.remove();
    }
  }
}

// Of blocks that were neighbours: what the machine did meanwhile, it did to both.
function ratio_of(before, after) {
  const ratios = after.map((value, index) => value / before[index]);
  return `${median(ratios).toFixed(2)} (${percentile(ratios, 0.1).toFixed(2)}–${percentile(ratios, 0.9).toFixed(2)})`;
}

function read_flags(args) {
  const flags = { against: "", rounds: 20, workload: "" };
  for (const arg of args) {
    const [, name, value] = /^--(against|rounds|workload)=(.+)$/.exec(arg) ?? [];
    if (!name) throw new Error(`unknown flag ${arg}; known: --against=BUILD --rounds=N --workload=NAME`);
    flags[name] = name === "rounds" ? Number(value) : value;
  }
  if (!(flags.rounds > 0)) throw new Error("--rounds wants a number");
  return { ...flags, against: resolve(flags.against) };
}

async function main(args) {
  const { against, rounds, workload } = read_flags(args);
  const paths = paths_of(fileURLToPath(new URL("../..", import.meta.url)));
  const builds = [against, join(paths.root, "build")];
  for (const program of builds.flatMap((build) => [join(build, "bin/glovebox"), join(build, "bin/glovebox-bench")])) {
    if (!existsSync(program)) throw new Error(`${program} is missing; build it there: make build && cmake --build --preset release --target glovebox-bench`);
  }
  const chosen = workloads.filter(({ name }) => name.includes(workload));
  if (chosen.length === 0) throw new Error(`no workload is called ${workload}; there are: ${workloads.map(({ name }) => name).join("; ")}`);
  if (!CpuGroup.is_possible()) console.error("bench/run: no control group may be made here; CPU time is as glovebox-bench counts it, and unknown for execute_code");
  console.log("| median of blocks | CPU ms per run, before | after | ratio (p10–p90) | ms, before | after | ratio (p10–p90) |");
  console.log("|---|---|---|---|---|---|---|");
  const load = os.loadavg()[0];
  const rows = {};
  for (const one of chosen) {
    const [before, after] = await measure(one, builds, rounds, paths.work);
    rows[one.name] = { cpu: ratio_of(before.cpu, after.cpu), ms: ratio_of(before.ms, after.ms) };
    const columns = ["cpu", "ms"].flatMap((what) => [median(before[what]).toFixed(2), median(after[what]).toFixed(2), ratio_of(before[what], after[what])]);
    console.log(`| ${one.name} | ${columns.join(" | ")} |`);
  }
  add_to_history(line_of_comparison(rows, load, [`--rounds=${rounds}`]));
}

main(process.argv.slice(2)).catch((error) => { console.error(`bench/run: ${error.message}`); process.exitCode = 2; });
