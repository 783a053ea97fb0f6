// Runs a program of bench/programs/files in Deno and prints how long it took, without Deno's own start.
//   deno run --allow-read --allow-write deno_files.mjs PROGRAM CONTEXT_JSON SAMPLES
const [program, context, samples] = Deno.args;
const AsyncFunction = (async () => {}).constructor;
const body = new AsyncFunction("context", Deno.readTextFileSync(program));
const ms = [];
for (let i = 0; i < Number(samples); i++) {
  const started = performance.now();
  await body(JSON.parse(context));
  ms.push(performance.now() - started);
}
console.log(JSON.stringify(ms));
