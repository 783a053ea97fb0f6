// What traces cost: two gateways side by side, one that writes spans down and one that does not, take turns with the same
// programs. Prints one table. `bench/observe.mjs [RUNS]`; make bench-observe.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);
const program = join(dirname(here), '../build/bin/glovebox');

// As an upstream server: one tool that says what it got.
if (process.argv[2] === '--server') {
  const tool = { name: 'echo', description: 'Says what it got', inputSchema: { type: 'object' } };
  const answers = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } }),
    'tools/list': () => ({ tools: [tool] }),
    'tools/call': ({ arguments: args }) => ({ content: [], structuredContent: args }),
    ping: () => ({}),
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const known = answers[method];
    const answer = known ? { result: known(params) } : { error: { code: -32601, message: 'no such method' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\n');
  });
}

class Gateway {
  constructor(observe) {
    this.folder = mkdtempSync(join(tmpdir(), 'glovebox-observe-'));
    writeFileSync(join(this.folder, 'glovebox.json'), JSON.stringify({
      mcpServers: { echo: { command: process.execPath, args: [here, '--server'] } }, permissions: { allow: ['echo'] }, observe,
    }));
    this.child = spawn(program, ['serve', '--workspace', this.folder, '--log-level', 'error'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.waiting = new Map();
    this.last = 0;
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      this.waiting.get(message.id)?.(message);
    });
  }
  send(method, params) {
    const id = ++this.last;
    return new Promise((done) => {
      this.waiting.set(id, (message) => { this.waiting.delete(id); done(message); });
      this.child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n');
    });
  }
  async open() {
    await this.send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return this;
  }
  // Milliseconds of one run.
  async run(code) {
    const began = performance.now();
    const { result } = await this.send('tools/call', { name: 'execute_code', arguments: { code, check: 'off' } });
    const took = performance.now() - began;
    if (result?.isError !== false && result?.isError !== undefined) throw new Error(JSON.stringify(result));
    return took;
  }
  // CPU time of the gateway alone, in milliseconds.
  cpu() {
    const threads = readdirSync(`/proc/${this.child.pid}/task`);
    return threads.reduce((sum, thread) => sum + Number(readFileSync(`/proc/${this.child.pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);
  }
  close() {
    this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function measure(runs) {
  const percentile = (list, part) => list.toSorted((a, b) => a - b)[Math.floor(list.length * part)];
  const programs = {
    'return 1 + N': (n) => `return 1 + ${n}`,
    'ten tool calls': (n) => `let sum = 0; for (let i = 0; i < 10; ++i) sum += (await mcp.echo.echo({ n: ${n} })).n; return sum`,
  };
  const off = await new Gateway({ traces: false }).open();
  const on = await new Gateway({ traces: true }).open();
  console.log('| program | without traces, p50 ms | with traces, p50 ms | more | p95 | CPU of the gateway per run, ms | more |');
  console.log('|---|---|---|---|---|---|---|');
  for (const [name, code] of Object.entries(programs)) {
    for (let n = 0; n < 30; ++n) for (const gateway of [off, on]) await gateway.run(code(n));
    const times = { off: [], on: [] };
    const before = { off: off.cpu(), on: on.cpu() };
    for (let n = 0; n < runs; ++n) {
      // Who comes first changes, so that neither always finds the machine as the other left it.
      for (const which of n % 2 ? ['off', 'on'] : ['on', 'off']) times[which].push(await (which === 'on' ? on : off).run(code(n)));
    }
    const cpu = { off: (off.cpu() - before.off) / runs, on: (on.cpu() - before.on) / runs };
    const [plain, traced] = [percentile(times.off, 0.5), percentile(times.on, 0.5)];
    const more = (a, b) => `${((b / a - 1) * 100).toFixed(1)} %`;
    console.log(`| ${name} | ${plain.toFixed(2)} | ${traced.toFixed(2)} | ${more(plain, traced)} | ${percentile(times.off, 0.95).toFixed(2)} → ${percentile(times.on, 0.95).toFixed(2)} | ${cpu.off.toFixed(2)} → ${cpu.on.toFixed(2)} | ${more(cpu.off, cpu.on)} |`);
  }
  off.close();
  on.close();
  process.exit(0);
}

if (process.argv[2] !== '--server') await measure(Number(process.argv[2] ?? 400));
