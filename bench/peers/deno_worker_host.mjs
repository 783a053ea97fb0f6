// Peer: a Deno Worker with permissions "none", a new one for every run. Timed: new Worker → code posted → result received.
// In its favour: the worker's module is a local file without imports, and ending the worker is not timed.
import process from "node:process";
import { serve_subject } from "./serve_subject.mjs";

const guest_url = new URL("./deno_worker_guest.mjs", import.meta.url).href;
const open_worker = () => new Worker(guest_url, { type: "module", deno: { permissions: "none" } });

function ask(worker, code, context_json) {
  return new Promise((resolve, reject) => {
    worker.onmessage = (event) => resolve(event.data);
    worker.onerror = (event) => { event.preventDefault(); reject(new Error(event.message)); };
    worker.postMessage([code, context_json]);
  });
}

await serve_subject({
  pid: process.pid,
  cpu_ms: () => { const used = process.cpuUsage(); return (used.user + used.system) / 1000; },

  async run(code, context_json) {
    const worker = open_worker();
    const answer = await ask(worker, code, context_json);
    worker.terminate();
    return answer;
  },

  // terminate() returns at once and the thread ends in the background. A short rest keeps that out of the next sample.
  after_run: () => new Promise((resolve) => setTimeout(resolve, 5)),

  // Waiting means: started and able to answer, so that it is asked once.
  async open_waiting() {
    const worker = open_worker();
    await ask(worker, "return 1", "{}");
    return () => worker.terminate();
  },
});
