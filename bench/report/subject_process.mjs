// The report's end of the conversation that peers/serve_subject.mjs describes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export class SubjectProcess {
  #child;
  #lines;
  #last_words = "";

  // Resolves when the subject has said that it is ready; `notes` holds what it said besides.
  static async start({ command, env = {}, cwd }) {
    const subject = new SubjectProcess();
    subject.#child = spawn(command[0], command.slice(1), { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
    subject.#child.on("error", (error) => { subject.#last_words = String(error); });
    subject.#child.stdin.on("error", () => {});  // the subject died; its silence is reported instead
    subject.#child.stderr.on("data", (text) => { subject.#last_words = (subject.#last_words + text).slice(-500); });
    subject.#lines = createInterface({ input: subject.#child.stdout })[Symbol.asyncIterator]();
    try {
      subject.notes = (await subject.#answer(60_000)).notes ?? {};
    } catch (error) {
      await subject.stop();
      throw error;
    }
    return subject;
  }

  async ask(command, timeout_ms = 120_000) {
    this.#child.stdin.write(command + "\n");
    return this.#answer(timeout_ms);
  }

  async #answer(timeout_ms) {
    let timer;
    const too_late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${timeout_ms / 1000} s. ${this.#last_words}`)), timeout_ms);
    });
    try {
      const { value, done } = await Promise.race([this.#lines.next(), too_late]);
      if (done) throw new Error(`the subject ended. ${this.#last_words}`.trim());
      const answer = JSON.parse(value);
      if (answer.error) throw new Error(answer.error);
      return answer;
    } finally {
      clearTimeout(timer);
    }
  }

  // End of input asks the subject to end with everything it started; only one that does not is killed.
  async stop() {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await exited;
    clearTimeout(timer);
  }
}
