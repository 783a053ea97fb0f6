// Where the figures were taken.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";

export function machine_info(paths) {
  const version = (program, ...args) => {
    try {
      return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split("\n")[0].trim();
    } catch {
      return null;
    }
  };
  const isolated_vm = JSON.parse(readFileSync(`${paths.bench}/node_modules/isolated-vm/package.json`, "utf8"));
  return {
    time: new Date().toISOString(),
    kernel: `${os.type()} ${os.release()}`,
    cpu: os.cpus()[0]?.model ?? "unknown",
    cores: os.cpus().length,
    memory_gb: os.totalmem() / 2 ** 30,
    load_average: os.loadavg()[0],  // at the start: much above 0 means that other work is running here
    user: os.userInfo().uid === 0 ? "root" : "ordinary user",
    versions: {
      node: process.version,
      v8: process.versions.v8,
      deno: version(paths.deno, "--version"),
      workerd: version(paths.workerd, "--version"),
      isolated_vm: isolated_vm.version,
    },
  };
}
