// From samples to the few numbers that are reported.

// Nearest rank: a number that was measured, never one between two.
export function percentile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
}

export const median = (samples) => percentile(samples, 0.5);

// p10 stands for the quiet moments of a noisy machine.
export function summary_of(samples) {
  return { n: samples.length, p10: percentile(samples, 0.1), p50: median(samples), p99: percentile(samples, 0.99) };
}
