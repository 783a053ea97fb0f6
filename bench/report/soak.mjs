// Many runs in a row; afterwards nothing may have grown.
import { SubjectProcess } from "./subject_process.mjs";

// An allocator keeps a little more or less from one sample to the next. 20,000 runs that lost 200 bytes each would
// exceed this.
const memory_slack_kib = 4096;

export async function measure_soak(pooled_subject, runs, progress) {
  progress(`soak: ${runs} runs`);
  const process = await SubjectProcess.start(pooled_subject);
  try {
    const figures = await process.ask(`soak ${runs}`, 60_000 + runs * 100);
    return { ...figures, flat: grown_things(figures).length === 0, grown: grown_things(figures) };
  } catch (error) {
    return { error: String(error.message ?? error) };
  } finally {
    await process.stop();
  }
}

function grown_things({ start, end }) {
  const slack = { gateway_rss_kib: memory_slack_kib, zygote_rss_kib: memory_slack_kib, descriptors: 0, processes: 0, mounts: 0 };
  return Object.keys(slack).filter((thing) => end[thing] - start[thing] > slack[thing]);
}
