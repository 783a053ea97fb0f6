// Python: Glovebox against Pyodide in Node and in Deno, taking turns. A peer's load is from loadPyodide to the first answer
// inside its process; Glovebox's first and second start are whole processes, `glovebox exec` to its exit.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { median, percentile } from "./statistics.mjs";

const run_file = promisify(execFile);
const last_json = (text) => JSON.parse(text.trim().split("\n").at(-1));

async function peer(command, args, env) {
  const { stdout } = await run_file(command, args, { env: { ...process.env, ...env }, maxBuffer: 1 << 24 });
  return last_json(stdout);
}

async function timed_exec(paths, cache) {
  const begin = performance.now();
  const { stdout } = await run_file(paths.glovebox, ["exec", "--lang", "py", "-e", "1 + 1"], { env: { ...process.env, XDG_CACHE_HOME: cache } });
  if (stdout.trim() !== "2") throw new Error(`glovebox says ${stdout}`);
  return performance.now() - begin;
}

async function our_round(paths, samples, expected) {
  const ours = await peer(paths.glovebox_bench, ["--python", `--samples=${samples}`, `--programs=${paths.programs}`]);
  if (ours.error) throw new Error(ours.error);
  if (ours.program.result !== expected) throw new Error(`Glovebox says ${ours.program.result}, Pyodide ${expected}`);
  return ours;
}

// → { node: {load_ms, program_ms}, deno: …, glovebox: {p50, waiting_mb, first_ms, second_ms, program_ms} }
export async function measure_python(paths, built, samples, progress) {
  const program = join(paths.programs, "python.py");
  const pyodide = join(paths.root, "node_modules/pyodide");
  const host = join(paths.bench, "peers/pyodide_host.mjs");
  const rounds = Math.max(5, samples);  // CPU-bound programs of the two differ by less than a noisy machine does from minute to minute
  const node = [], deno = [], first = [], second = [], ours = [];
  try {
    for (let i = 0; i < rounds; i++) {
      progress(`Python: round ${i + 1} of ${rounds}`);
      node.push(await peer(paths.node, [host, pyodide, program]));
      if (existsSync(paths.deno)) {
        deno.push(await peer(paths.deno, ["run", "--allow-all", "--no-config", "--no-lock", host, pyodide, program],
          { DENO_DIR: join(paths.work, "deno_dir"), DENO_NO_UPDATE_CHECK: "1", DENO_NO_PACKAGE_JSON: "1" }));
      }
      if (!built) continue;
      const cache = mkdtempSync(join(tmpdir(), "glovebox-bench-"));
      try {
        first.push(await timed_exec(paths, cache));
        for (let j = 0; j < 3; j++) second.push(await timed_exec(paths, cache));
      } finally {
        rmSync(cache, { recursive: true });
      }
      ours.push(await our_round(paths, Math.ceil((samples * 10) / rounds), node[0].result));
    }
    const of_peer = (runs) => (runs.length === 0 ? null : { load_ms: median(runs.map(({ load_ms }) => load_ms)),
      load_cpu_ms: median(runs.map(({ cpu_ms }) => cpu_ms)), program_ms: median(runs.flatMap(({ program_ms }) => program_ms)),
      program_cpu_ms: median(runs.flatMap(({ program_cpu_ms }) => program_cpu_ms)) });
    const figures = { node: of_peer(node), deno: of_peer(deno), glovebox: null };
    if (built) {
      const warm = ours.flatMap(({ ms }) => ms);
      figures.glovebox = { p50: median(warm), p99: percentile(warm, 0.99), waiting_mb: median(ours.map(({ waiting_mb }) => waiting_mb)),
        first_ms: median(first), second_ms: median(second), program_ms: median(ours.flatMap(({ program }) => program.ms)),
        program_cpu_ms: median(ours.flatMap(({ program }) => program.cpu_ms)) };
    }
    return figures;
  } catch (error) {
    return { error: String(error.message ?? error) };
  }
}

export function print_python(python) {
  if (!python) return;
  console.log("\nPython (ms)");
  if (python.error) return console.log(`  failed: ${python.error}`);
  const show = (value) => (Number.isFinite(value) ? value.toFixed(1).padStart(10) : "-".padStart(10));
  console.log(`  ${"".padEnd(34)}${"node".padStart(10)}${"deno".padStart(10)}${"Glovebox".padStart(10)}`);
  const row = (label, ...values) => console.log(`  ${label.padEnd(34)}${values.map(show).join("")}`);
  row("Pyodide's load / warm start, p50", python.node?.load_ms, python.deno?.load_ms, python.glovebox?.p50);
  row("first process after the build", python.node?.load_ms, python.deno?.load_ms, python.glovebox?.first_ms);
  row("second process", python.node?.load_ms, python.deno?.load_ms, python.glovebox?.second_ms);
  row("CPU-bound program", python.node?.program_ms, python.deno?.program_ms, python.glovebox?.program_ms);
  row("  its CPU time", python.node?.program_cpu_ms, python.deno?.program_cpu_ms, python.glovebox?.program_cpu_ms);
  row("waiting guest, private MiB", undefined, undefined, python.glovebox?.waiting_mb);
}
