// What the filter of private data adds to execute_code: two gateways, one with --no-pii-protection, take turns in blocks
// of runs, in random order. Prints one table. `bench/privacy/cost.mjs [BLOCKS]`; part of make bench-privacy.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tree_cpu_ms } from "../report/process_tree.mjs";
import { median } from "../report/statistics.mjs";
import { StdioGateway } from "../report/stdio_gateway.mjs";

const program = join(dirname(fileURLToPath(import.meta.url)), "../../build/bin/glovebox");
const RUNS_PER_BLOCK = 20;

const programs = {
  "`return 1 + N`": (n) => `return 1 + ${n}`,
  "4 KB, nothing private": (n) =>
    `return Array.from({ length: 40 }, (_, i) => ({ id: i, name: "entry" + i, text: "row " + i + " of run ${n}, with nothing in it that anybody would mind" }))`,
  "4 KB with 40 addresses": (n) =>
    `return Array.from({ length: 40 }, (_, i) => ({ id: i, mail: "user" + i + "@example.com", text: "row " + i + " of run ${n}, with nothing in it that anybody would mind" }))`,
};

class Side {
  static async open(...options) {
    const side = new Side();
    side.folder = mkdtempSync(join(tmpdir(), "glovebox-privacy-cost-"));
    writeFileSync(join(side.folder, "glovebox.json"), "{}");
    side.gateway = await StdioGateway.start([program, "serve", "--workspace", side.folder, "--log-level", "error", ...options]);
    return side;
  }
  // CPU time of the gateway's threads, in milliseconds.
  gateway_cpu() {
    const folder = `/proc/${this.gateway.pid}/task`;
    return readdirSync(folder).reduce((sum, thread) => sum + Number(readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6, 0);
  }
  async block(code, from) {
    const cpu = this.gateway_cpu();
    const ms = [];
    for (let i = 0; i < RUNS_PER_BLOCK; ++i) ms.push((await this.gateway.execute({ code: code(from + i), check: "off" })).ms);
    return { cpu: (this.gateway_cpu() - cpu) / RUNS_PER_BLOCK, ms: median(ms) };
  }
  async close() {
    await this.gateway.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const blocks = Number(process.argv[2] ?? 30);
const sides = { off: await Side.open("--no-pii-protection"), on: await Side.open() };
console.log("| execute_code | CPU ms of the gateway, without → with the filter | more | CPU ms of all processes | more | p50 ms by the clock | more |");
console.log("|---|---|---|---|---|---|---|");
for (const [name, code] of Object.entries(programs)) {
  for (const side of Object.values(sides)) await side.block(code, -RUNS_PER_BLOCK);
  const seen = { off: { cpu: [], ms: [] }, on: { cpu: [], ms: [] } };
  const all = { off: 0, on: 0 };
  for (let n = 0; n < blocks; ++n) {
    for (const which of Math.random() < 0.5 ? ["off", "on"] : ["on", "off"]) {
      const before = tree_cpu_ms(sides[which].gateway.pid);
      const { cpu, ms } = await sides[which].block(code, n * RUNS_PER_BLOCK);
      all[which] += (tree_cpu_ms(sides[which].gateway.pid) - before) / RUNS_PER_BLOCK / blocks;
      seen[which].cpu.push(cpu);
      seen[which].ms.push(ms);
    }
  }
  const both = (off, on) => `${off.toFixed(2)} → ${on.toFixed(2)} | ${((on / off - 1) * 100).toFixed(1)} %`;
  console.log(`| ${name} | ${both(median(seen.off.cpu), median(seen.on.cpu))} | ${both(all.off, all.on)} | ${both(median(seen.off.ms), median(seen.on.ms))} |`);
}
for (const side of Object.values(sides)) await side.close();
process.exit(0);
