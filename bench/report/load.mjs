// What a running sandbox does under load: runs per second with 1, 8 and 64 in flight, and ten megabytes of context in
// and out.
import { SubjectProcess } from "./subject_process.mjs";
import { summary_of } from "./statistics.mjs";

const concurrencies = [1, 8, 64];
const context_bytes = 10_000_000;

// → { throughput: { 1: runs per second, … }, context_10mb: { n, p10, p50, p99 } }, or { error } in the place of a figure
async function measure_one(subject, { throughput_ms, context_samples }) {
  const process = await SubjectProcess.start(subject);
  try {
    const throughput = {};
    for (const concurrency of concurrencies) {
      throughput[concurrency] = await or_error(async () => (await process.ask(`throughput ${concurrency} ${throughput_ms}`)).runs_per_second);
    }
    const context_10mb = await or_error(async () => summary_of((await process.ask(`context ${context_bytes} ${context_samples}`)).ms));
    const typescript = subject.name === "pooled" ? await or_error(async () => summary_of((await process.ask("typescript 50")).ms)) : undefined;
    return { throughput, context_10mb, typescript };
  } finally {
    await process.stop();
  }
}

export async function measure_load(subjects, plan, progress) {
  const figures = {};
  for (const subject of subjects.filter(({ kind }) => kind === "sandbox")) {
    progress(`load: ${subject.label}`);
    figures[subject.name] = await or_error(() => measure_one(subject, plan));
  }
  return figures;
}

async function or_error(measure) {
  try {
    return await measure();
  } catch (error) {
    return { error: String(error.message ?? error) };
  }
}
