// `glovebox serve` on stdio, spoken to without an SDK, so that the client adds little of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export class StdioGateway {
  #child;
  #waiting = new Map();
  #last = 0;

  static async start(command, env = {}) {
    const gateway = new StdioGateway();
    gateway.#child = spawn(command[0], command.slice(1), { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] });
    gateway.#child.stdin.on("error", () => {});
    gateway.#child.on("exit", () => { for (const { reject } of gateway.#waiting.values()) reject(new Error("the gateway ended")); });
    createInterface({ input: gateway.#child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      gateway.#waiting.get(message.id)?.resolve(message);
      gateway.#waiting.delete(message.id);
    });
    await gateway.#ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } });
    gateway.#child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return gateway;
  }

  get pid() { return this.#child.pid; }

  // → { result: what the code returned, ms }
  async execute(args) {
    const { structured, ms } = await this.call("execute_code", args);
    return { result: structured?.result, ms };
  }

  // → { structured: the answer's structured content, ms }
  async call(name, args) {
    const began = performance.now();
    const { result } = await this.#ask("tools/call", { name, arguments: args });
    const ms = performance.now() - began;
    if (!result || result.isError) throw new Error(`${name}: ${JSON.stringify(result).slice(0, 300)}`);
    return { structured: result.structuredContent, ms };
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await exited;
    clearTimeout(timer);
  }

  #ask(method, params) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    });
  }
}
