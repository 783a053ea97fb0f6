// The CPU time of a process and of all that it ever starts, by a control group of its own (version 2). Unlike a walk
// over /proc it costs the measured processes nothing, and it counts those that have ended, whichever process reaped
// them.
import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";

function own_group() {
  const mount = readFileSync("/proc/mounts", "utf8").split("\n").map((line) => line.split(" ")).find(([, , kind]) => kind === "cgroup2");
  const path = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"));
  return mount && path ? join(mount[1], path[1]) : null;
}

export class CpuGroup {
  #folder;

  // Null where this user may not make one.
  static make(name) {
    try {
      const group = new CpuGroup();
      group.#folder = join(own_group(), `glovebox-bench-${process.pid}-${name}`);
      mkdirSync(group.#folder);
      group.used_ms();
      return group;
    } catch {
      return null;
    }
  }

  static is_possible() {
    const group = CpuGroup.make("possible");
    if (group) rmdirSync(group.#folder);
    return group !== null;
  }

  // The command that does the same inside the group.
  around(command) {
    return ["/bin/sh", "-c", 'echo $$ > "$0" && exec "$@"', join(this.#folder, "cgroup.procs"), ...command];
  }

  used_ms() {
    return Number(/^usage_usec (\d+)$/m.exec(readFileSync(join(this.#folder, "cpu.stat"), "utf8"))[1]) / 1000;
  }

  // Once its processes have ended, which the kernel may take a moment to notice.
  async remove() {
    for (let attempt = 0; attempt < 100; attempt++) {
      try {
        return rmdirSync(this.#folder);
      } catch {
        await new Promise((done) => setTimeout(done, 20));
      }
    }
  }
}
