// Request → first result, CPU per run and memory, for every subject. The subjects alternate in rounds, so that a noisy minute
// of the machine falls on all of them alike.
import { SubjectProcess } from "./subject_process.mjs";
import { summary_of } from "./statistics.mjs";

// In a process of its own: one that has run samples keeps freed memory, and the next sandbox would seem to cost nothing.
async function memory_of(subject) {
  const fresh = await SubjectProcess.start(subject);
  try {
    return await fresh.ask(`memory ${subject.memory_count}`);
  } finally {
    await fresh.stop();
  }
}

// → Map from name to { ms, cpu_ms_per_run, pooled_share, memory, notes } or { error }. A subject that fails drops out; the rest continues.
export async function measure_latency(subjects, { rounds, share_of_samples }, progress) {
  const figures = new Map();
  const live = new Map();
  try {
    for (const subject of subjects) {
      progress(`memory: ${subject.label}`);
      try {
        const memory = await memory_of(subject);
        const process = await SubjectProcess.start(subject);
        live.set(subject, { process, ms: [], cpu_ms: 0, pooled: 0 });
        await process.ask("sample 3");  // first-time costs: code caches, lazy libraries
        figures.set(subject.name, { memory, notes: process.notes });
      } catch (error) {
        fail(subject, error);
      }
    }
    for (let round = 0; round < rounds; round++) {
      progress(`latency: round ${round + 1} of ${rounds}`);
      for (const subject of rotated([...live.keys()], round)) {
        const state = live.get(subject);
        try {
          const answer = await state.process.ask(`sample ${Math.ceil(subject.samples * share_of_samples)}`);
          state.ms.push(...answer.ms);
          state.cpu_ms += answer.cpu_ms;
          state.pooled += answer.pooled ?? 0;
        } catch (error) {
          fail(subject, error);
        }
      }
    }
    for (const [subject, { ms, cpu_ms, pooled }] of live) {
      Object.assign(figures.get(subject.name), { ms: summary_of(ms), cpu_ms_per_run: cpu_ms / ms.length, pooled_share: pooled / ms.length });
    }
    return figures;
  } finally {
    for (const { process } of live.values()) await process.stop();
  }

  function fail(subject, error) {
    figures.set(subject.name, { error: String(error.message ?? error) });
    live.get(subject)?.process.stop();
    live.delete(subject);
  }
}

const rotated = (list, by) => list.map((_, index) => list[(index + by) % list.length]);
