// Pyodide as its own documentation starts it, in Node or Deno: prints { load_ms, cpu_ms, program_ms: […], program_cpu_ms: […], result }.
import { readFileSync } from "node:fs";
import process from "node:process";

const [pyodide_folder, program] = process.argv.slice(2);
const source = readFileSync(program, "utf8");
const { loadPyodide } = await import(`${pyodide_folder}/pyodide.mjs`);
const begin = performance.now();
const pyodide = await loadPyodide({ indexURL: `${pyodide_folder}/` });
if (pyodide.runPython("1 + 1") !== 2) throw new Error("a wrong answer");
const load_ms = performance.now() - begin;
const usage = process.cpuUsage();
// Each time in a namespace of its own, as every run of Glovebox is.
const program_ms = [];
const program_cpu_ms = [];
let result;
for (let i = 0; i < 3; i++) {
  const from = performance.now();
  const cpu_from = process.cpuUsage();
  const globals = pyodide.toPy({});
  const value = pyodide.runPython(source, { globals });
  program_ms.push(performance.now() - from);
  const cpu = process.cpuUsage(cpu_from);
  program_cpu_ms.push((cpu.user + cpu.system) / 1000);
  result = JSON.stringify(value.toJs());
}
console.log(JSON.stringify({ load_ms, cpu_ms: (usage.user + usage.system) / 1000, program_ms, program_cpu_ms, result }));
