// Runs one program of this folder in this very Node and prints { ms, cpu_ms, result }. Only the program is timed, not Node's
// own start; a new process each time, because a Glovebox run starts with a cold engine as well.
import { readFileSync } from "node:fs";

const [path] = process.argv.slice(2);
const source = readFileSync(path, "utf8");
const AsyncFunction = (async () => {}).constructor;

const cpu_before = process.cpuUsage();
const start = performance.now();
const result = JSON.stringify(await new AsyncFunction("context", source)({}));
const ms = performance.now() - start;
const cpu = process.cpuUsage(cpu_before);
console.log(JSON.stringify({ ms, cpu_ms: (cpu.user + cpu.system) / 1000, result }));
