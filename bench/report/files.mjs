// Files through the gateway against Deno with the same grant, taking turns. Glovebox's time is the host's (code sent →
// result), Deno's is taken inside; both leave out the start of the process. The disk's cache is warm for both.
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { median } from "./statistics.mjs";

const run_file = promisify(execFile);
const programs = ["read_many", "read_many_at_once", "read_large"];
const LARGE_BYTES = 100_000_000;

function make_files(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const line = "the quick brown fox jumps over the lazy dog, and nothing else of note happened today\n";
  for (let i = 0; i < 100; i++) writeFileSync(join(folder, `${i}.txt`), line.repeat(50).slice(0, 4096));
  writeFileSync(join(folder, "large.txt"), line.repeat(Math.ceil(LARGE_BYTES / line.length)).slice(0, LARGE_BYTES));
}

async function in_deno(paths, program, context) {
  const { stdout } = await run_file(paths.deno, ["run", "--no-config", "--no-lock", `--allow-read=${context.folder},${program}`,
    join(paths.bench, "peers/deno_files.mjs"), program, JSON.stringify(context), "1"], { env: { ...process.env, DENO_DIR: join(paths.work, "deno_dir"), DENO_NO_UPDATE_CHECK: "1" } });
  return JSON.parse(stdout)[0];
}

async function in_glovebox(paths, program, context, flags) {
  const { stdout } = await run_file(paths.glovebox, ["exec", program, "--json", "--timeout", "120s", "--context", JSON.stringify(context), ...flags],
    { maxBuffer: 64 << 20 });
  return JSON.parse(stdout);
}

async function compare(paths, name, context, samples) {
  const program = join(paths.programs, "files", `${name}.js`);
  const ours = [];
  const deno = [];
  for (let i = 0; i < samples; i++) {
    deno.push(await in_deno(paths, program, context));
    ours.push((await in_glovebox(paths, program, context, [`--allow-read=${context.folder}`])).metrics.executionTimeMs);
  }
  return { samples, deno_ms: median(deno), glovebox_ms: median(ours), slowdown: median(ours) / median(deno) };
}

// One read is smaller than what surrounds it: what an empty program takes is taken off.
async function compare_one_read(paths, context, samples) {
  const with_read = await compare(paths, "read_4k", context, samples);
  const without = await compare(paths, "nothing", context, samples);
  const deno_ms = with_read.deno_ms - without.deno_ms;
  const glovebox_ms = with_read.glovebox_ms - without.glovebox_ms;
  return { samples, deno_ms, glovebox_ms, slowdown: glovebox_ms / deno_ms };
}

// 10,000 new files: written to the overlay by the code, then to the disk by the commit.
async function overlay_commit(paths, folder) {
  const out = join(folder, "out");
  mkdirSync(out);
  const started = performance.now();
  const { metrics, changes, error } = await in_glovebox(paths, join(paths.programs, "files/write_many.js"), { out },
    [`--allow-write=${out}`, "--vfs=overlay", "--commit"]);
  if (error) throw new Error(error.message);
  return { files: changes.length, run_ms: metrics.executionTimeMs, commit_ms: metrics.commitTimeMs, all_ms: performance.now() - started };
}

// → { read_4k: { deno_ms, glovebox_ms, slowdown }, …, overlay_commit: { files, run_ms, commit_ms } }
export async function measure_files(paths, with_glovebox, samples, progress) {
  if (!with_glovebox) return null;
  const folder = join(paths.work, "files");
  const figures = {};
  make_files(folder);
  const attempt = async (name, measure) => {
    progress(`files: ${name}`);
    try {
      figures[name] = await measure();
    } catch (error) {
      figures[name] = { error: String(error.message ?? error) };
    }
  };
  await attempt("read_4k", () => compare_one_read(paths, { folder }, 3 * samples));
  for (const name of programs) await attempt(name, () => compare(paths, name, { folder }, samples));
  await attempt("overlay_commit", () => overlay_commit(paths, folder));
  rmSync(folder, { recursive: true, force: true });
  return figures;
}
