// bench/history.jsonl: one line for each run of `bench/run`, and the table of docs/benchmarks.md that is made of them.
//   node bench/report/history.mjs    regenerates the table
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const history_file = join(root, "bench/history.jsonl");
const page = join(root, "docs/benchmarks.md");
const [BEGIN, END] = ["<!-- history: begin -->", "<!-- history: end -->"];
const MOST_COLUMNS = 6;

// name, what it is, what is wanted, where it is in a report. Lower is better, but for those with ↑.
const figures = [
  ["pooled_ms", "pooled run, p50 ms", "≤ 0.4", (r) => r.latency.pooled.ms.p50],
  ["pooled_cpu_ms", "pooled run, CPU ms", "≤ 0.9", (r) => r.latency.pooled.cpu_ms_per_run],
  ["fork_ms", "fork + seal + run, p50 ms", "", (r) => r.latency.unpooled.ms.p50],
  ["deno_worker", "pooled, times as fast as a Deno Worker ↑", "≥ 25", (r) => r.latency.deno_worker.ms.p50 / r.latency.pooled.ms.p50],
  ["workerd", "pooled, times as fast as a workerd isolate ↑", "≥ 5", (r) => (r.latency.workerd.ms.p50 - r.latency.workerd.notes.http_floor_ms) / r.latency.pooled.ms.p50],
  ["at_64", "64 at once, times the runs per second of isolated-vm ↑", "≥ 2.7", (r) => r.load.pooled.throughput[64] / r.load.isolated_vm.throughput[64]],
  ["rewound_ms", "rewound run, p50 ms", "≤ 0.2", (r) => r.latency.rewound.ms.p50],
  ["rewound_cpu_ms", "rewound run, CPU ms", "≤ 0.3", (r) => r.latency.rewound.cpu_ms_per_run],
  ["rewound_at_64", "64 at once rewound, times the runs per second of isolated-vm ↑", "≥ 8", (r) => r.load.rewound.throughput[64] / r.load.isolated_vm.throughput[64]],
  ["exec_eval", "cold `exec -e 1+1`, times as fast as `deno eval` ↑", "≥ 1", (r) => r.latency.deno_eval.ms.p50 / r.latency.exec_eval.ms.p50],
  ["exec_file", "cold `exec small.ts`, times as fast as `deno run` ↑", "≥ 1.54", (r) => r.latency.deno_run.ms.p50 / r.latency.exec_file.ms.p50],
  ["exec_standby", "`exec small.ts` with an engine in standby, times as fast as `deno run` ↑", "≥ 2.5", (r) => r.latency.deno_run.ms.p50 / r.latency.exec_standby.ms.p50],
  ["waiting_mib", "private memory of a waiting guest, MiB", "≤ 0.35", (r) => r.latency.pooled.memory.waiting_mb],
  ["cpu_bound", "CPU-bound against Node, the slowest of three", "≤ 1.25", (r) => Math.max(...["sieve", "json", "sort"].map((name) => r.cpu_bound[name].slowdown))],
  ["first_read", "first read of a cold process, of Deno's time", "≤ 2", (r) => r.files.read_4k.slowdown],
  ["small_reads", "10,000 small reads, of Deno's time", "≤ 1", (r) => r.files.read_many.slowdown],
  ["large_read", "100 MB as text, of Deno's time", "≤ 1.5", (r) => r.files.read_large.slowdown],
  ["call_added_ms", "a tool call, added to the SDK's p50, ms", "≤ 0.16", (r) => r.gateway.call.added_p50_ms],
  ["execute_ms", "`execute_code` over stdio, p50 ms", "≤ 1.2", (r) => r.gateway.execute.ms.p50],
  ["execute_typed_ms", "the same with TypeScript that is checked, p50 ms", "≤ 2", (r) => r.gateway.execute_typed.ms.p50],
  ["privacy_percent", "privacy filter, added to `execute_code`, %", "≤ 5", (r) => r.gateway.privacy.small.added_percent],
  ["privacy_people_percent", "the same with 4 KB of people, %", "≤ 5", (r) => r.gateway.privacy.people.added_percent],
  ["python_warm", "Python warm, times as fast as Pyodide in Node ↑", "≥ 100", (r) => r.python.node.load_ms / r.python.glovebox.p50],
  ["python_cpu_bound", "CPU-bound Python against Pyodide in Node", "≤ 1", (r) => r.python.glovebox.program_ms / r.python.node.program_ms],
];

// A part of the report may be missing: not every run measures everything.
function value_of(report, read) {
  try {
    const value = read(report);
    return Number.isFinite(value) ? Number(value.toPrecision(4)) : null;
  } catch {
    return null;
  }
}

function commit() {
  try {
    const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") ? "+" : "");
  } catch {
    return "unknown";
  }
}

export function line_of(report, flags) {
  const known = figures.map(([name, , , read]) => [name, value_of(report, read)]).filter(([, value]) => value !== null);
  return { commit: commit(), date: report.machine.time, load: Number(report.machine.load_average.toFixed(2)), flags: flags.join(" "), figures: Object.fromEntries(known) };
}

// Two builds in alternating blocks: medians and the ratio of neighbours, for each workload.
export function line_of_comparison(rows, load, flags) {
  return { commit: commit(), date: new Date().toISOString(), load: Number(load.toFixed(2)), flags: flags.join(" "), ratios: rows };
}

export function add_to_history(line) {
  appendFileSync(history_file, JSON.stringify(line) + "\n");
}

const bars = "▁▂▃▄▅▆▇█";
function course_of(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => bars[high === low ? 0 : Math.round(((value - low) / (high - low)) * (bars.length - 1))]).join("");
}

const shown = (value) => (value === undefined ? "" : Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3))));

export function table_of(lines) {
  const all = lines.filter((line) => line.figures);
  const columns = all.slice(-MOST_COLUMNS);
  const head = columns.map(({ date, commit }) => `${date.slice(0, 10)}<br>${commit}`);
  const facts = columns.map(({ load, flags }) => [load === null ? "idle" : `load ${load}`, flags.replaceAll("--", "")].filter(Boolean).join(", "));
  const rows = figures.map(([name, what, wanted]) => {
    const values = all.map((line) => line.figures[name]).filter((value) => value !== undefined);
    return [what, wanted, ...columns.map((line) => shown(line.figures[name])), values.length > 1 ? course_of(values) : ""];
  });
  return [["", "wanted", ...head, "course"], ["---", ...Array(columns.length + 2).fill("---")], ["the machine", "", ...facts, ""], ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

export function write_table() {
  const lines = readFileSync(history_file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const text = readFileSync(page, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${page} has no place for the table`);
  writeFileSync(page, `${text.slice(0, begin + BEGIN.length)}\n${table_of(lines)}\n${text.slice(end)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) write_table();
