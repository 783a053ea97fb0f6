// Runs a program that is written for Glovebox (a function body that sees `context`) in Deno, and prints its result.
const [program, context] = Deno.args;
const AsyncFunction = (async () => {}).constructor;
const body = new AsyncFunction("context", Deno.readTextFileSync(program));
console.log(JSON.stringify(await body(JSON.parse(context))));
