// Peer: isolated-vm. Timed: new isolate with a memory limit → context → run with a timeout → JSON out.
// In its favour: the synchronous calls (no hop to its thread pool), and dispose() is not timed. It is isolation inside this
// one process: no process boundary, no seccomp. The prebuilt binary of the npm package is used; Node needs --no-node-snapshot.
import process from "node:process";
import ivm from "isolated-vm";
import { serve_subject } from "./serve_subject.mjs";

const program = (code) => `
  (async (context) => { ${code}
  })(JSON.parse(context_json)).then((value) => JSON.stringify(value))`;
const open_isolate = () => new ivm.Isolate({ memoryLimit: 512 });
const run_options = { timeout: 30_000, promise: true };

let used_isolate;  // disposed after the clock stopped

async function run_in(isolate, context, code, context_json) {
  context.global.setSync("context_json", context_json);
  return context.evalSync(program(code), run_options);
}

await serve_subject({
  pid: process.pid,
  cpu_ms: () => { const used = process.cpuUsage(); return (used.user + used.system) / 1000; },

  async run(code, context_json) {
    used_isolate = open_isolate();
    return run_in(used_isolate, used_isolate.createContextSync(), code, context_json);
  },

  after_run: () => used_isolate.dispose(),

  // Many at once need the asynchronous calls: the synchronous ones hold this thread.
  async run_concurrently(code, context_json) {
    const isolate = open_isolate();
    const context = await isolate.createContext();
    await context.global.set("context_json", context_json);
    const answer = await context.eval(program(code), run_options);
    isolate.dispose();
    return answer;
  },

  async open_waiting() {
    const isolate = open_isolate();
    await run_in(isolate, isolate.createContextSync(), "return 1", "{}");
    return () => isolate.dispose();
  },
});
