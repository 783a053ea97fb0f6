// `bench/run`: measures Glovebox and its peers side by side, prints a table, writes build/bench.json and a
// line of bench/history.jsonl.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { measure_cpu_bound } from "./cpu_bound.mjs";
import { measure_files } from "./files.mjs";
import { measure_gateway } from "./gateway.mjs";
import { add_to_history, line_of, write_table } from "./history.mjs";
import { measure_latency } from "./latency.mjs";
import { measure_load } from "./load.mjs";
import { machine_info } from "./machine.mjs";
import { measure_python, print_python } from "./python.mjs";
import { measure_soak } from "./soak.mjs";
import { paths_of, subjects_for } from "./subjects.mjs";
import { print_report } from "./table.mjs";
import { evaluate_targets } from "./targets.mjs";

const full_plan = { rounds: 20, share_of_samples: 1, throughput_ms: 2000, context_samples: 7, program_samples: 7, soak_runs: 20_000 };
const quick_plan = { rounds: 5, share_of_samples: 0.4, throughput_ms: 500, context_samples: 3, program_samples: 3, soak_runs: 1000 };

function read_flags(args) {
  const flags = { plan: { ...(args.includes("--quick") ? quick_plan : full_plan) }, peers_only: false, only: null, check: false };
  for (const arg of args) {
    const soak = /^--soak=(\d+)$/.exec(arg);
    if (soak) flags.plan.soak_runs = Number(soak[1]);
    else if (arg === "--peers-only") flags.peers_only = true;
    else if (arg === "--gateway-only") flags.only = "gateway";
    else if (arg === "--python-only") flags.only = "python";
    else if (arg === "--check") flags.check = true;
    else if (arg !== "--quick") throw new Error(`unknown flag ${arg}; known: --quick --soak=N --peers-only --gateway-only --python-only --check`);
  }
  return flags;
}

const progress = (text) => { if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`); };

async function main(args) {
  const { plan, peers_only, only, check } = read_flags(args);
  const paths = paths_of(fileURLToPath(new URL("../..", import.meta.url)));
  mkdirSync(paths.work, { recursive: true });
  const subjects = subjects_for(paths, { peers_only });
  const pooled = subjects.find(({ name }) => name === "pooled");
  if (!pooled && !peers_only) console.error("bench/run: build/bin/glovebox-bench is not built; measuring the peers only");

  const machine = machine_info(paths);
  const latency = only ? {} : Object.fromEntries(await measure_latency(subjects, plan, progress));
  const load = only ? {} : await measure_load(subjects, plan, progress);
  const cpu_bound = only ? {} : await measure_cpu_bound(paths, pooled, plan.program_samples, progress);
  const files = only ? null : await measure_files(paths, pooled !== undefined, plan.program_samples, progress);
  const gateway = only === "python" ? null : await measure_gateway(paths, pooled !== undefined, plan, progress);
  const python = only === "gateway" ? null : await measure_python(paths, pooled !== undefined, plan.program_samples, progress);
  const soak = pooled && !only ? await measure_soak(pooled, plan.soak_runs, progress) : null;
  const targets = evaluate_targets({ latency, load, cpu_bound, files, gateway, python, soak }).filter(({ met }) => !only || met !== null);
  progress("");

  const report = { machine, plan, latency, load, cpu_bound, files, gateway, python, soak, targets };
  mkdirSync(dirname(paths.report), { recursive: true });
  writeFileSync(paths.report, JSON.stringify(report, null, 2) + "\n");
  add_to_history(line_of(report, args));
  write_table();
  print_report(report, subjects);
  print_python(python);
  console.log(`written: ${paths.report}, bench/history.jsonl and the table of docs/benchmarks.md`);
  return check && targets.some(({ met }) => met !== true) ? 1 : 0;
}

main(process.argv.slice(2)).then(
  (code) => { process.exitCode = code; },
  (error) => { console.error(`bench/run: ${error.message}`); process.exitCode = 2; },
);
