// What traces cost: two gateways side by side, one that writes spans down and one that does not, take turns with the same
// programs. Prints one table. `bench/observe.mjs [RUNS]`; make bench-observe.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { StdioGateway } from './report/stdio_gateway.mjs';

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

class Observed {
  static async open(observe) {
    const one = new Observed();
    one.folder = mkdtempSync(join(tmpdir(), 'glovebox-observe-'));
    writeFileSync(join(one.folder, 'glovebox.json'), JSON.stringify({
      mcpServers: { echo: { command: process.execPath, args: [here, '--server'] } }, permissions: { allow: ['echo'] }, observe,
    }));
    one.gateway = await StdioGateway.start([program, 'serve', '--workspace', one.folder, '--log-level', 'error']);
    return one;
  }
  // Milliseconds of one run.
  async run(code) {
    return (await this.gateway.execute({ code, check: 'off' })).ms;
  }
  // CPU time of the gateway alone, in milliseconds.
  cpu() {
    const threads = readdirSync(`/proc/${this.gateway.pid}/task`);
    return threads.reduce((sum, thread) => sum + Number(readFileSync(`/proc/${this.gateway.pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);
  }
  async close() {
    await this.gateway.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function measure(runs) {
  const percentile = (list, part) => list.toSorted((a, b) => a - b)[Math.floor(list.length * part)];
  const programs = {
    'return 1 + N': (n) => `return 1 + ${n}`,
    'ten tool calls': (n) => `let sum = 0; for (let i = 0; i < 10; ++i) sum += (await mcp.echo.echo({ n: ${n} })).n; return sum`,
  };
  const off = await Observed.open({ traces: false });
  const on = await Observed.open({ traces: true });
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
  await off.close();
  await on.close();
  process.exit(0);
}

if (process.argv[2] !== '--server') await measure(Number(process.argv[2] ?? 400));
