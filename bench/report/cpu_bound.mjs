// CPU-bound programs: the same source in a Glovebox guest and in the same Node, taking turns. Both start with a cold engine.
// Glovebox's time is the host's (frame sent → result), Node's is taken inside and leaves out the start of the process.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { SubjectProcess } from "./subject_process.mjs";
import { median } from "./statistics.mjs";

const programs = ["sieve", "json", "sort"];
const run_file = promisify(execFile);

async function in_node(paths, program) {
  const { stdout } = await run_file(paths.node, [join(paths.programs, "time_in_node.mjs"), program]);
  return JSON.parse(stdout);
}

async function compare(paths, glovebox, name, samples) {
  const program = join(paths.programs, `${name}.js`);
  const ours = { ms: [], cpu_ms: [] };
  const node = { ms: [], cpu_ms: [] };
  for (let i = 0; i < samples; i++) {
    const reference = await in_node(paths, program);
    node.ms.push(reference.ms);
    node.cpu_ms.push(reference.cpu_ms);
    if (!glovebox) continue;
    const answer = await glovebox.ask(`program ${program} 1`);
    if (answer.result !== reference.result) throw new Error(`${name}: Glovebox says ${answer.result}, Node says ${reference.result}`);
    ours.ms.push(...answer.ms);
    ours.cpu_ms.push(...answer.cpu_ms);
  }
  const medians = ({ ms, cpu_ms }) => ({ ms: median(ms), cpu_ms: median(cpu_ms) });
  return { samples, node: medians(node), glovebox: glovebox ? medians(ours) : null, slowdown: glovebox ? median(ours.ms) / median(node.ms) : null };
}

// → { sieve: { node: { ms, cpu_ms }, glovebox: { ms, cpu_ms }, slowdown }, … }
export async function measure_cpu_bound(paths, pooled_subject, samples, progress) {
  const figures = {};
  const glovebox = pooled_subject ? await SubjectProcess.start(pooled_subject) : null;
  try {
    for (const name of programs) {
      progress(`CPU-bound: ${name}`);
      try {
        figures[name] = await compare(paths, glovebox, name, samples);
      } catch (error) {
        figures[name] = { error: String(error.message ?? error) };
      }
    }
    return figures;
  } finally {
    await glovebox?.stop();
  }
}
