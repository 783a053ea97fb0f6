// The official clients, connected to a gateway. All of their messages are kept in `wire`.
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { environment, eventually, is_alive, is_checked, program, repeated } from './workspace.mjs';

const identity = { name: 'e2e', version: '1.0.0' };

// What is reported about a run, for models and for programs together.
export function whole({ structuredContent, _meta = {} }) {
  const { 'glovebox/run': run = {}, 'glovebox/approvals': [card] = [] } = _meta;
  const error = structuredContent?.error && { error: { ...run.error, ...structuredContent.error } };
  return { ...run, ...card, ...structuredContent, ...error };
}

class Connection {
  constructor(client, transport, era) {
    Object.assign(this, { client, transport, era, wire: [] });
  }
  // Between client and transport.
  listen() {
    const { transport, wire } = this;
    const send = transport.send.bind(transport);
    transport.send = (message, ...rest) => {
      wire.push({ from: 'client', message });
      return send(message, ...rest);
    };
    const start = transport.start.bind(transport);
    transport.start = async () => {
      const receive = transport.onmessage;
      transport.onmessage = (message, ...rest) => {
        wire.push({ from: 'server', message });
        return receive(message, ...rest);
      };
      return start();
    };
  }
  get pid() { return this.transport.pid ?? this.transport._process?.pid; }  // the client of 2026 does not expose it
  call(name, args = {}, options) {
    const last = { timeout: 600_000, ...options };
    return this.era === 'legacy'
      ? this.client.callTool({ name, arguments: args }, undefined, last)
      : this.client.callTool({ name, arguments: args }, last);
  }
  // The answer of execute_code, as programs read it.
  async execute(code, more = {}, options) { return whole(await this.call('execute_code', { code, ...more }, options)); }
  // execute_code with a check that has completed. On a busy machine it may not, in its few seconds: then the run begins
  // unchecked, as it should, and another one is tried.
  async checked(args) {
    return repeated(() => this.call('execute_code', args), (said) => is_checked(JSON.stringify(said)));
  }
  // A question about this many calls that a program makes at once. They are batched for a short time only, which may
  // pass between two of them on a busy machine; then that run is abandoned, and another one asks.
  async asks_about(count, code, more = {}) {
    return repeated(() => this.execute(code, more), async (waits) => {
      if (waits.context?.calls.length === count) return true;
      if (waits.status !== 'approval_required') throw new Error(`nobody is asked: ${JSON.stringify(waits)}`);
      await this.call('cancel_run', { run_id: waits.run_id });
      return false;
    });
  }
  // Lines of progress that have arrived: lines sent at the same time are one message.
  get progress_lines() { return this.progress.flatMap((report) => (report.message ?? '').split('\n')); }
  // Messages of progress that have arrived. The SDK drops one that it reads together with the answer.
  get progress() { return this.wire.filter(({ message }) => message.method === 'notifications/progress').map(({ message }) => message.params); }
  sent(method) { return this.wire.filter((entry) => entry.message.method === method); }
  // The SDK does not wait for the end of a process that it has to kill.
  async close() {
    const { pid } = this;
    await this.client.close();
    if (pid) await eventually(() => !is_alive(pid), 'the gateway has ended');
  }
}

// `answer` makes a client through which people can be asked: (params) => ({ action, content }).
export async function connect(workspace, { era = 'legacy', http, answer, fetch, args = [] } = {}) {
  const capabilities = answer ? { elicitation: {} } : {};
  const legacy = era === 'legacy';
  const client = legacy
    ? new LegacyClient(identity, { capabilities })
    : new ModernClient(identity, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  if (answer) {
    if (legacy) client.setRequestHandler(ElicitRequestSchema, (request) => answer(request.params));
    else client.setRequestHandler('elicitation/create', (request) => answer(request.params));
  }
  const Http = legacy ? LegacyHttp : ModernHttp;
  const Stdio = legacy ? LegacyStdio : ModernStdio;
  const transport = http
    ? new Http(new URL(http.url), { fetch, requestInit: http.token ? { headers: { Authorization: `Bearer ${http.token}` } } : undefined })
    : new Stdio({ command: program, args: ['serve', '--workspace', workspace.folder, ...args], stderr: process.env.GLOVEBOX_E2E_TALK ? 'inherit' : 'ignore', env: { ...environment(workspace.folder), ...workspace.env } });
  const connection = new Connection(client, transport, era);
  connection.listen();
  await client.connect(transport, { timeout: 600_000 });
  return connection;
}
