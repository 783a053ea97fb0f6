// An MCP server that counts: each call is a line of the file LEDGER before it is answered.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

const note = (entry) => appendFileSync(process.env.LEDGER, JSON.stringify({ pid: process.pid, ...entry }) + '\n');
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const times_called = (tool) => readFileSync(process.env.LEDGER, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line))
  .filter((entry) => entry.tool === tool && entry.state === 'called').length;
let gathered = [];

const tools = {
  // Only records the call, and returns its arguments.
  post: (args) => ({ ...text(JSON.stringify(args)), structuredContent: { posted: args } }),
  read: (args) => text(`read ${args.n}`),
  // As many servers answer: JSON in a text, without saying so.
  commits: (args) => text(JSON.stringify(Array.from({ length: args.n }, (_, i) => ({ sha: `${i}`, author: ['ada', 'bob'][i % 2] })))),
  // Takes this long, or `again` if an earlier process of this server has recorded such a call; or until a file is there.
  async slow(args, extra) {
    const ms = args.again !== undefined && times_called('slow') > 1 ? args.again : args.ms;
    const goes_on = (step) => args.until ? !existsSync(args.until) : step < ms / 50;
    for (let step = 0; goes_on(step) && !extra.signal.aborted; ++step) await pause(50);
    note({ tool: 'slow', state: extra.signal.aborted ? 'aborted' : 'ended', args });
    return text('slept');
  },
  // Ends when this many of it are under way.
  async together(args) {
    await new Promise((done) => {
      gathered.push(done);
      if (gathered.length >= args.count) for (const each of gathered.splice(0)) each();
    });
    note({ tool: 'together', state: 'ended', args });
    return text('all were here');
  },
  fail: () => ({ ...text('the ledger is closed'), isError: true }),
  die: () => process.exit(3),
  // A list that only a program should read.
  rows: (args) => ({ ...text(''), structuredContent: { rows: Array.from({ length: args.n }, (_, i) => ({ i, text: 'x'.repeat(args.width) })) } }),
};

// Implements the protocol by hand: loading the SDK takes five times as long as the rest of a server's start, and almost
// every case starts one or two. The servers of npm, and shop, shifting, offers and tasking beside this file, use the
// SDK.
const methods = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'ledger', version: '1.0.0' } }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => ({ name, description: `${name} of the ledger`, inputSchema: { type: 'object' } })),
  }),
  'tools/call': (params, signal) => {
    note({ tool: params.name, state: 'called', args: params.arguments, key: params._meta?.['glovebox/idempotencyKey'], trace: params._meta?.traceparent });
    return tools[params.name](params.arguments ?? {}, { signal });
  },
};
const under_way = new Map();
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');

async function answer({ id, method, params = {} }) {
  if (method === 'notifications/cancelled') return under_way.get(params.requestId)?.abort();
  if (id === undefined || method === undefined) return;
  if (!Object.hasOwn(methods, method)) return send({ id, error: { code: -32601, message: 'Method not found' } });
  const stop = new AbortController();
  under_way.set(id, stop);
  try {
    const result = await methods[method](params, stop.signal);
    if (!stop.signal.aborted) send({ id, result });
  } catch (error) {
    if (!stop.signal.aborted) send({ id, error: { code: -32603, message: error.message } });
  } finally {
    under_way.delete(id);
  }
}
// Not with readline, which ends lines at U+2028, too.
let rest = '';
for await (const chunk of process.stdin.setEncoding('utf8')) {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) answer(JSON.parse(line));
}
