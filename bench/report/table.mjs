// The report for people.

const number = (value, digits = 2) => (Number.isFinite(value) ? value.toFixed(digits) : "–");

function table(headings, rows) {
  const lines = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => row[column].length)));
  const text_of = (row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  ");
  const [first, ...rest] = lines.map(text_of);
  return ["  " + first, "  " + "─".repeat(first.length), ...rest.map((line) => "  " + line)].join("\n");
}

function latency_table(subjects, latency) {
  const ours = latency.pooled?.ms?.p50;
  return table(["request → first result", "p50 ms", "p99 ms", "CPU ms/run", "waiting MiB", "running MiB", "p50 ÷ pooled", "n"], subjects.map(({ name, label }) => {
    const { ms, cpu_ms_per_run, memory, error } = latency[name] ?? {};
    if (error || !ms) return [label, "failed", ...Array(6).fill("")];
    return [label, number(ms.p50), number(ms.p99), number(cpu_ms_per_run), number(memory?.waiting_mb), number(memory?.running_mb), number(ms.p50 / ours, 1), ms.n];
  }));
}

function load_table(subjects, load) {
  return table(["under load", "runs/s at 1", "at 8", "at 64", "10 MB in and out, p50 ms"], subjects.filter(({ name }) => load[name]).map(({ name, label }) => {
    const { throughput = {}, context_10mb } = load[name];
    return [label, ...[1, 8, 64].map((concurrency) => number(throughput[concurrency], 0)), number(context_10mb?.p50, 1)];
  }));
}

function cpu_bound_table(cpu_bound) {
  return table(["CPU-bound (median)", "Node ms", "Glovebox ms", "slowdown", "Node CPU ms", "Glovebox CPU ms"], Object.entries(cpu_bound).map(([name, { node, glovebox, slowdown }]) =>
    [name, number(node?.ms, 0), number(glovebox?.ms, 0), number(slowdown), number(node?.cpu_ms, 0), number(glovebox?.cpu_ms, 0)]));
}

function files_table(files) {
  const rows = Object.entries(files).filter(([, { slowdown }]) => slowdown).map(([name, { deno_ms, glovebox_ms, slowdown }]) =>
    [name.replaceAll("_", " "), number(deno_ms), number(glovebox_ms), number(slowdown)]);
  return table(["files (median)", "deno ms", "Glovebox ms", "slowdown"], rows);
}

function commit_line({ overlay_commit: commit }) {
  if (!commit?.files) return null;
  return `  overlay: ${commit.files} new files written in ${number(commit.run_ms, 0)} ms, committed in ${number(commit.commit_ms, 0)} ms`;
}

function gateway_tables({ execute, execute_typed, privacy, call, reduce }) {
  const calls = call?.means && table(["one tool call over stdio", "mean of 100, p50 ms", "single, p50 ms", "p99 ms"], ["direct", "sandbox"].map((name) =>
    [name === "direct" ? "the SDK itself" : "code in the sandbox", number(call.means[name].p50), number(call.single[name].p50), number(call.single[name].p99)]));
  const runs = [["JavaScript", execute], ["TypeScript, checked", execute_typed]].filter(([, one]) => one?.ms).map(([what, one]) =>
    `  execute_code over stdio, ${what}: p50 ${number(one.ms.p50)} ms, p99 ${number(one.ms.p99)} ms, ` +
    `${number(one.cpu_ms_per_run)} CPU ms per run, gateway ${number(one.gateway_mib, 1)} MiB resident`).join("\n");
  const filtered = privacy?.small && table(["execute_code over stdio", "with the privacy filter, p50 ms", "without, p50 ms", "added %"],
    [["return 1 + i", "small"], ["4 KB, 40 addresses", "people"]].map(([label, name]) =>
      [label, number(privacy[name].on.p50), number(privacy[name].off.p50), number(privacy[name].added_percent, 1)]));
  const labels = { glovebox: "Glovebox, execute_code", deno: "deno with the SDK, no sandbox", node: "Node with the SDK, no sandbox" };
  const reduced = reduce?.glovebox && table(["10 MB of a tool → 500 bytes", "p50 ms", "p99 ms", "CPU ms", "peak MiB of the host"], Object.entries(labels).map(([name, label]) =>
    [label, number(reduce[name].ms.p50, 0), number(reduce[name].ms.p99, 0), number(reduce[name].cpu_ms, 0), number(reduce[name].peak_mib, 0)]));
  return [calls, runs, filtered, reduced].filter(Boolean).join("\n\n");
}

function soak_table(soak) {
  const columns = ["gateway_rss_kib", "zygote_rss_kib", "descriptors", "processes", "mounts"];
  return table(["soak, after", ...columns.map((name) => name.replaceAll("_", " ").replace("kib", "KiB"))],
               ["start", "middle", "end"].map((stage) => [`${soak[stage].runs} runs`, ...columns.map((name) => soak[stage][name])]));
}

function targets_table(targets) {
  const mark = { true: "met", false: "MISSED", null: "–" };
  return table(["target", "wanted", "measured", ""], targets.map(({ target, wanted, text, met }) => [target, wanted, text, mark[met]]));
}

function errors_of(value, path = []) {
  if (value === null || typeof value !== "object") return [];
  const own = typeof value.error === "string" ? [`  ${path.join(".")}: ${value.error.slice(0, 400)}`] : [];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => errors_of(inner, [...path, key]))];
}

const measured = (figures) => Object.keys(figures).length > 0;

export function print_report(report, subjects) {
  const { machine, latency, load, cpu_bound, files, gateway, soak, targets } = report;
  const parts = [
    `${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, load ${number(machine.load_average)} at the start`,
    `Node ${machine.versions.node} · ${machine.versions.deno} · ${machine.versions.workerd} · isolated-vm ${machine.versions.isolated_vm}`,
    measured(latency) && latency_table(subjects, latency),
    latency.workerd?.notes && `  workerd's figure includes a loopback HTTP round trip of ${number(latency.workerd.notes.http_floor_ms)} ms; the target below leaves it out.`,
    latency.pooled?.pooled_share < 1 && `  Only ${number(100 * latency.pooled.pooled_share, 1)} % of the pooled samples found a waiting guest.`,
    measured(load) && load_table(subjects, load),
    load.pooled?.typescript?.p50 && `  Glovebox, pooled, code with type annotations: p50 ${number(load.pooled.typescript.p50)} ms, p99 ${number(load.pooled.typescript.p99)} ms`,
    measured(cpu_bound) && cpu_bound_table(cpu_bound),
    files && files_table(files),
    files && commit_line(files),
    gateway && gateway_tables(gateway),
    soak?.end && soak_table(soak),
    targets_table(targets),
    errors_of({ latency, load, cpu_bound, files, gateway, soak }).join("\n"),
  ];
  console.log("\n" + parts.filter(Boolean).join("\n\n") + "\n");
}
