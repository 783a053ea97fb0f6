// Many clients of one gateway over HTTP, each with a session and a connection of its own, all at once: whether all are
// served, how long an execute_code takes them, and what the gateway keeps in memory. `bench/sessions.mjs [SESSIONS]...`
// (200 and 1000); make bench-sessions. Client and gateway share the machine.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = join(dirname(fileURLToPath(import.meta.url)), '../build/bin/glovebox');
const runs_each = 5;
const wave = 100;
let token;

async function start(folder) {
  const child = spawn(program, ['serve', '--workspace', folder, '--http', '127.0.0.1:0', '--log-level', 'info'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const url = await new Promise((found, fail) => {
    child.stderr.on('data', (data) => {
      said += data;
      const where = /listening on ([^\s"]+)[\s"]/.exec(said);
      const bearer = /bearer token is in ([^\s"]+)"/.exec(said);
      if (!where || !bearer) return;
      token = readFileSync(bearer[1], 'utf8').trim();
      found(where[1]);
    });
    child.on('exit', (code) => fail(new Error(`glovebox serve ended with ${code}: ${said}`)));
  });
  child.stderr.on('data', () => {});
  return { child, url };
}

class Session {
  constructor(url) {
    this.url = url;
    this.agent = new Agent({ keepAlive: true, maxSockets: 1 });
    this.next = 0;
  }
  post(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const headers = {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', Authorization: `Bearer ${token}`,
      'Content-Length': Buffer.byteLength(body), ...(this.id ? { 'Mcp-Session-Id': this.id } : {}),
    };
    return new Promise((done, fail) => {
      const sent = request(this.url, { method: 'POST', agent: this.agent, headers }, (response) => {
        let text = '';
        response.on('data', (data) => { text += data; });
        response.on('end', () => done({ status: response.statusCode, text, id: response.headers['mcp-session-id'] }));
        response.on('error', fail);
      });
      sent.on('error', fail);
      sent.end(body);
    });
  }
  async open() {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
    const { status, id } = await this.post({ id: ++this.next, method: 'initialize', params });
    if (status !== 200) throw new Error(`initialize: ${status}`);
    this.id = id;
    await this.post({ method: 'notifications/initialized' });
  }
  // Milliseconds.
  async execute(number) {
    const then = performance.now();
    const params = { name: 'execute_code', arguments: { code: `return 1 + ${number}`, check: 'off' } };
    const { status, text } = await this.post({ id: ++this.next, method: 'tools/call', params });
    if (status !== 200 || !text.includes(String(1 + number))) throw new Error(`execute_code: ${status} ${text.slice(0, 200)}`);
    return performance.now() - then;
  }
}

const memory = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

async function measure(sessions) {
  const folder = mkdtempSync(join(tmpdir(), 'glovebox-sessions-'));
  const { child, url } = await start(folder);
  try {
    const all = Array.from({ length: sessions }, () => new Session(url));
    const failures = new Map();
    const note = (error) => { failures.set(error.message, (failures.get(error.message) ?? 0) + 1); };
    // In waves: connections that have not shown the token yet have few places.
    const open = [];
    for (let at = 0; at < sessions; at += wave) {
      open.push(...(await Promise.all(all.slice(at, at + wave).map((one) => one.open().then(() => one, note)))).filter(Boolean));
    }
    const times = [];
    const then = performance.now();
    await Promise.all(open.map(async (one, place) => {
      for (let i = 0; i < runs_each; ++i) await one.execute(1000000 + place * runs_each + i).then((ms) => times.push(ms), note);
    }));
    const per_second = times.length / ((performance.now() - then) / 1000);
    times.sort((a, b) => a - b);
    const part = (share) => times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)];
    // Every client waits for all others: with so many at once, a run takes that long where all are treated alike.
    const fair = sessions / per_second * 1000;
    console.log(JSON.stringify({
      sessions, served: times.length, wanted: sessions * runs_each, runs_per_second: Math.round(per_second), p50_ms: Math.round(part(0.5)), p99_ms: Math.round(part(0.99)),
      implied_ms: Math.round(fair), p99_of_implied: Number((part(0.99) / fair).toFixed(2)), peak_mb: Math.round(memory(child.pid)), failures: Object.fromEntries(failures),
    }));
    for (const one of all) one.agent.destroy();
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

const wanted = process.argv.slice(2).map(Number);
for (const sessions of wanted.length > 0 ? wanted : [200, 1000]) await measure(sessions);
