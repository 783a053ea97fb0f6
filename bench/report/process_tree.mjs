// What the kernel says about a process and those below it.
import { readFileSync, readdirSync } from "node:fs";

const TICK_MS = 10;  // USER_HZ is 100 wherever Linux runs today

function stat_of(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");  // from the state on: the name may hold anything
    return { pid, parent: Number(fields[1]), ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) };
  } catch {
    return null;  // it has ended
  }
}

const everything = () => readdirSync("/proc").map(Number).filter(Number.isInteger).map(stat_of).filter(Boolean);

// CPU time of `root` and all below it, including children that ended and were waited for; without `except` and its kin.
export function tree_cpu_ms(root, except = []) {
  const all = everything();
  let ticks = 0;
  const visit = (pid) => {
    if (except.includes(pid)) return;
    ticks += all.find((one) => one.pid === pid)?.ticks ?? 0;
    for (const one of all) if (one.parent === pid) visit(one.pid);
  };
  visit(root);
  return ticks * TICK_MS;
}

export function children_of(root) {
  return everything().filter(({ parent }) => parent === root).map(({ pid }) => pid);
}

export function command_line_of(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

// → { rss, peak }, in MiB
export function memory_of(pid) {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  const mib = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]) / 1024;
  return { rss: mib("VmRSS"), peak: mib("VmHWM") };
}
