// The conversation between the report and anything it measures (a "subject"): one command per line on standard input, one
// JSON object per line on standard output. A subject times its own runs, as a program that embeds it would see them, so the
// report's pipes are never part of a figure. bench/serve.cc speaks the same language for Glovebox.
//
//   sample N            → { ms: [N numbers], cpu_ms }        one run at a time; cpu_ms is for all N together
//   throughput C MS     → { runs_per_second }                C runs in flight for MS milliseconds
//   context BYTES N     → { ms: [N numbers], cpu_ms }        a JSON context of BYTES in, the same out
//   memory N            → { waiting_mb }                     private memory that one more waiting sandbox costs
//
// Works in Node and in Deno. End of input ends the subject: nothing outlives the report.
import process from "node:process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

// The work of every sample: source text that no cache has seen before, given per request, answered as JSON.
const source_of = (number) => `return 1 + ${number}`;
const expected_of = (number) => String(1 + number);

let next_number = 1;

async function timed_run(subject, code, context_json, expected) {
  const start = performance.now();
  const answer = await subject.run(code, context_json);
  const elapsed = performance.now() - start;
  if (answer !== expected) throw new Error(`wrong answer: ${String(answer).slice(0, 200)}`);
  return elapsed;
}

async function measure_block(subject, count, one_run) {
  const ms = [];
  const cpu_before = subject.cpu_ms();
  for (let i = 0; i < count; i++) {
    ms.push(await one_run());
    await subject.after_run?.();  // tidying that a user does not wait for; its CPU time counts all the same
  }
  return { ms, cpu_ms: subject.cpu_ms() - cpu_before };
}

const commands = {
  sample: (subject, count) => measure_block(subject, count, () => {
    const number = next_number++;
    return timed_run(subject, source_of(number), "{}", expected_of(number));
  }),

  context: (subject, bytes, count) => {
    const context_json = JSON.stringify({ text: "x".repeat(bytes - 11) });
    return measure_block(subject, count, () => timed_run(subject, "return context", context_json, context_json));
  },

  throughput: async (subject, concurrency, duration_ms) => {
    const start = performance.now();
    let finished = 0;
    const lane = async () => {
      while (performance.now() - start < duration_ms) {
        const number = next_number++;
        const answer = await (subject.run_concurrently ?? subject.run)(source_of(number), "{}");
        if (answer !== expected_of(number)) throw new Error(`wrong answer: ${answer}`);
        finished++;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
    return { runs_per_second: finished / ((performance.now() - start) / 1000) };
  },

  // Growth of private dirty memory from the second half of `count` additional sandboxes: the first half pays for what
  // is shared (allocator arenas, thread caches) and would make the peer appear worse than it is.
  memory: async (subject, count) => {
    const keep = [];
    const half = Math.ceil(count / 2);
    for (let i = 0; i < half; i++) keep.push(await subject.open_waiting());
    const middle = private_dirty_mb(subject.pid);
    for (let i = 0; i < half; i++) keep.push(await subject.open_waiting());
    const end = private_dirty_mb(subject.pid);
    for (const close of keep) await close?.();
    return { waiting_mb: (end - middle) / half };
  },
};

function private_dirty_mb(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Private_Dirty:\s+(\d+) kB/m.exec(text)[1]) / 1024;
}

// A process's CPU time including its finished threads. The kernel shows it in ticks of 10 ms: exact enough for a block.
export function cpu_ms_of(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop().split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

// `subject`: { pid, notes?, cpu_ms(), run(code, context_json) → JSON text, open_waiting() → close function,
//              after_run?(), run_concurrently?(code, context_json) }
export async function serve_subject(subject) {
  const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");
  say({ ready: true, notes: subject.notes });
  for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...args] = line.trim().split(" ");
    try {
      say(await commands[name](subject, ...args.map(Number)));
    } catch (error) {
      say({ error: String(error?.stack ?? error) });
    }
  }
}
