// A12: every way a program would reach for the host's secrets, by the names that exist here
// expect: {"result": {"got": [], "tried": 22}}
const { env, file, outsideFile, workingFile, socket, port } = context.canary;
const attempts = [
  () => Deno.env.get(env), () => Deno.env.toObject(), () => process.env[env], () => globalThis.process?.env,
  () => Deno.readTextFile(file), () => Deno.readTextFileSync(outsideFile), () => Deno.readFile(workingFile), () => Deno.open('/proc/self/environ'),
  () => Deno.readTextFile('/proc/1/environ'), async () => { for await (const entry of Deno.readDir('.')) return entry.name; }, () => Deno.cwd(), () => Deno.stat(file), () => Deno.realPath('.'),
  () => Deno.connect({ path: socket, transport: 'unix' }), () => Deno.connect({ hostname: '127.0.0.1', port }), () => Deno.listen({ port: 0 }),
  () => fetch('http://127.0.0.1:' + port + '/'), () => fetch('file://' + file), () => fetch(new Request('http://localhost:' + port)),
  () => new Deno.Command('env').output(), () => Deno.run({ cmd: ['cat', file] }), () => Deno.resolveDns('localhost', 'A'),
];
const got = [];
for (const attempt of attempts) { try { got.push(await attempt()); } catch { /* denied */ } }
return { got, tried: attempts.length };
