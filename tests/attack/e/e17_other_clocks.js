// E17: no other clock: no shared counter, no waiting, no resource timings, no finer Intl or Temporal
// expect: {"result": {"names": [], "temporal": true}}
const names = [];
for (const name of ["SharedArrayBuffer", "Atomics", "Worker", "MessageChannel", "requestAnimationFrame", "scheduler", "requestIdleCallback"]) if (name in globalThis) names.push(name);
for (const name of ["timeOrigin", "mark", "measure", "getEntries", "eventCounts", "memory"]) { const value = performance[name]; if (typeof value === "number" && value !== Math.floor(value)) names.push(name); }
const spin = () => { for (let i = 0; i < 1e6; i++); };
let temporal = true;
if (globalThis.Temporal) { const a = Temporal.Now.instant().epochNanoseconds; spin(); temporal = Temporal.Now.instant().epochNanoseconds === a && a % 1000000n === 0n; }
return { names, temporal };
