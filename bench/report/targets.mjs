// The targets of the project, as ratios between figures of one run. `met` is null where a figure is missing.

export function evaluate_targets({ latency, load, cpu_bound, files, gateway, python, soak }) {
  const p50 = (name) => latency[name]?.ms?.p50;
  const waiting_mb = latency.pooled?.memory?.waiting_mb;
  // The stricter reading: workerd's figure without the HTTP round trip that Glovebox does not have.
  const workerd_isolate = p50("workerd") - latency.workerd?.notes?.http_floor_ms;

  const at_least = (what, value, wanted, unit) => verdict(what, value, `≥ ${wanted}${unit}`, value >= wanted, unit);
  const at_most = (what, value, wanted, unit) => verdict(what, value, `≤ ${wanted}${unit}`, value <= wanted, unit);

  return [
    at_least("pooled p50, faster than a Deno Worker", p50("deno_worker") / p50("pooled"), 25, "×"),
    at_least("pooled p50, faster than a workerd isolate", workerd_isolate / p50("pooled"), 5, "×"),
    at_most("pooled p50 (on a quiet core)", p50("pooled"), 0.4, " ms"),
    at_most("CPU time of a pooled run, all processes", latency.pooled?.cpu_ms_per_run, 0.9, " ms"),
    at_least("runs per second with 64 at once, against isolated-vm", load?.pooled?.throughput?.[64] / load?.isolated_vm?.throughput?.[64], 2.7, "×"),
    at_most("rewound p50", p50("rewound"), 0.2, " ms"),
    at_most("CPU time of a rewound run, all processes", latency.rewound?.cpu_ms_per_run, 0.3, " ms"),
    at_least("runs per second with 64 at once, rewound, against isolated-vm", load?.rewound?.throughput?.[64] / load?.isolated_vm?.throughput?.[64], 8, "×"),
    at_least("fork + seal p50, faster than a Deno Worker", p50("deno_worker") / p50("unpooled"), 5, "×"),
    at_most("cold exec small.ts, of the time of deno run", p50("exec_file") / p50("deno_run"), 0.65, ""),
    at_most("exec small.ts with an engine in standby, of the time of deno run", p50("exec_standby") / p50("deno_run"), 0.4, ""),
    at_least("cold exec -e 1+1, faster than deno eval", p50("deno_eval") / p50("exec_eval"), 1, "×"),
    at_most("private memory per waiting guest", waiting_mb ?? undefined, 0.35, " MiB"),
    ...["sieve", "json", "sort"].map((name) => at_most(`CPU-bound ${name}, against the same Node`, cpu_bound[name]?.slowdown, 1.25, "×")),
    at_most("first read of a cold process, against deno --allow-read", files?.read_4k?.slowdown, 2, "×"),
    at_most("10,000 small reads, against deno --allow-read", files?.read_many?.slowdown, 1, "×"),
    at_most("reading 100 MB, against deno --allow-read", files?.read_large?.slowdown, 1.5, "×"),
    at_most("one tool call from the sandbox, added to the SDK's p50", gateway?.call?.added_p50_ms, 0.16, " ms"),
    at_most("execute_code over stdio, p50", gateway?.execute?.ms?.p50, 1.2, " ms"),
    at_most("execute_code over stdio, TypeScript that is checked, p50", gateway?.execute_typed?.ms?.p50, 2, " ms"),
    at_most("privacy, added to the p50 of execute_code", gateway?.privacy?.small?.added_percent, 5, " %"),
    at_most("privacy, the same with 4 KB of people", gateway?.privacy?.people?.added_percent, 5, " %"),
    at_least("10 MB of a tool to 500 bytes, faster than deno with the SDK", gateway?.reduce?.deno?.ms?.p50 / gateway?.reduce?.glovebox?.ms?.p50, 1, "×"),
    at_most("Python warm start p50", python?.glovebox?.p50, 1.5, " ms"),
    at_least("Python warm start p50, faster than Pyodide's load in node", python?.node?.load_ms / python?.glovebox?.p50, 100, "×"),
    at_least("Python warm start p50, faster than Pyodide's load in deno", python?.deno?.load_ms / python?.glovebox?.p50, 100, "×"),
    at_most("private memory per waiting Python guest", python?.glovebox?.waiting_mb, 15, " MiB"),
    at_least("first Python run after the build, faster than Pyodide in node", python?.node?.load_ms / python?.glovebox?.first_ms, 1, "×"),
    at_least("second Python process, faster than Pyodide in node", python?.node?.load_ms / python?.glovebox?.second_ms, 3, "×"),
    at_most("CPU-bound Python, against Pyodide in node", python?.glovebox?.program_ms / python?.node?.program_ms, 1, "×"),
    soak_verdict(soak),
  ];
}

function verdict(target, value, wanted, met, unit) {
  const known = Number.isFinite(value);
  return { target, wanted, value: known ? value : null, text: known ? `${value.toPrecision(3)}${unit}` : "not measured", met: known ? met : null };
}

function soak_verdict(soak) {
  const target = `${soak?.runs ?? "many"} runs in a row, nothing grows`;
  if (soak?.error) return { target, wanted: "flat", value: null, text: `failed: ${soak.error}`, met: false };
  if (!soak) return { target, wanted: "flat", value: null, text: "not measured", met: null };
  return { target, wanted: "flat", value: soak.flat, text: soak.flat ? "flat" : `grew: ${soak.grown.join(", ")}`, met: soak.flat };
}
