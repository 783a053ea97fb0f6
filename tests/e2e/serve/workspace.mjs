// A workspace with a glovebox.json, gateways in it, and the ledger of the calls that its servers really got.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const packages = join(here, '../node_modules/@modelcontextprotocol');
export const program = join(process.env.GLOVEBOX_BIN ?? join(here, '../../../build/bin'), 'glovebox');

// The environment of a gateway. With the cache folder not every workspace has to make an image of Python. The owner
// trusts what these tests write.
export const environment = (folder) => ({
  PATH: process.env.PATH, HOME: folder, GLOVEBOX_TRUSTED_FOLDERS: tmpdir(), ...(process.env.XDG_CACHE_HOME ? { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME } : {}),
});

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Waits for something to become true. If it waits in vain, the time limit of the test ends it.
export async function eventually(look, what) {
  for (let tries = 0; ; ++tries) {
    const seen = await look();
    if (seen) return seen;
    if (tries === 100 && what) console.error(`still waiting for: ${what}`);
    await pause(50);
  }
}

// Does again what a busy machine may not do in time, until an answer will do. After five minutes, the last one is shown.
export async function repeated(attempt, will_do) {
  for (const until = Date.now() + 300_000; ; await pause(100)) {
    const answer = await attempt();
    if (await will_do(answer)) return answer;
    if (Date.now() > until) throw new Error(`it did not succeed in time; the last answer: ${JSON.stringify(answer)}`);
  }
}
// Whether a check has completed, or never will.
export const is_checked = (text) => !/CHECK_UNAVAILABLE|The code was not checked/.test(text) || text.includes('not installed');

// A file of JSON lines that a process may be writing: the last line counts only if it is complete.
export const read_lines = (file) => readFileSync(file, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line));

export class Workspace {
  #children = new Set();

  // `permissions` as in glovebox.json; `servers` are added to the ledger.
  constructor({ permissions = { allow: ['ledger'] }, servers = {}, text, ...others } = {}) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'glovebox-serve-')));
    this.ledger_file = join(this.folder, 'ledger.jsonl');
    mkdirSync(join(this.folder, 'data'));
    // Time for servers to start while a run waits for them, on a busy machine.
    const sandbox = { timeoutMs: 300_000, rpcTimeoutMs: 300_000 };
    this.config = { mcpServers: { ledger: this.ledger_server(), ...servers }, permissions, sandbox, ...others };
    this.write_config(text);
  }

  ledger_server() {
    return { command: process.execPath, args: [join(here, 'ledger.mjs')], env: { LEDGER: this.ledger_file } };
  }
  npm_server(name, args = [], env = {}) {
    return { command: process.execPath, args: [join(packages, name, 'dist/index.js'), ...args], env };
  }
  // The state folder of this workspace, made by a gateway.
  get state() {
    const all = join(this.folder, '.local/state/glovebox/workspaces');
    return join(all, readdirSync(all)[0]);
  }
  get config_file() { return join(this.folder, 'glovebox.json'); }
  write_config(text = JSON.stringify(this.config, null, 2)) { writeFileSync(this.config_file, text); }
  read_config() { return readFileSync(this.config_file, 'utf8'); }

  // The calls that the ledger's servers got, in order.
  ledger() { return existsSync(this.ledger_file) ? read_lines(this.ledger_file) : []; }
  calls(tool) { return this.ledger().filter((entry) => entry.state === 'called' && (!tool || entry.tool === tool)); }

  // Starts a program that ends with us at the latest.
  start(command, args, options = {}) {
    const child = spawn(command, args, { cwd: this.folder, env: environment(this.folder), ...options });
    this.#children.add(child);
    child.out = '';
    child.err = '';
    child.stdout?.on('data', (data) => { if (!options.raw_out) child.out += data; });
    child.stderr?.on('data', (data) => { child.err += data; });
    child.ended = new Promise((done) => child.on('close', (code, signal) => {
      this.#children.delete(child);
      done({ code: signal ? 128 : code, signal, out: child.out, err: child.err });
    }));
    return child;
  }
  // Runs glovebox … to its end. Approval is typed at a terminal.
  async run(...args) {
    if (['approvals approve', 'token new', 'tools approve'].includes(args.slice(0, 2).join(' '))) return this.at_terminal(...args);
    return this.#run([program, ...args, '--workspace', this.folder]);
  }
  // With a person who approves what is asked there.
  async at_terminal(...args) {
    return this.#run(['python3', join(here, '../../attack/authority/person.py'), program, ...args, '--workspace', this.folder]);
  }
  async #run(words) {
    return this.start(words[0], words.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] }).ended;
  }
  async json(...args) {
    const ended = await this.run(...args, '--json');
    try {
      return { code: ended.code, ...JSON.parse(ended.out) };
    } catch {
      throw new Error(`glovebox ${args.join(' ')}: code ${ended.code}\n${ended.out}\n${ended.err}`);
    }
  }
  async waiting(count = 1) {
    return eventually(async () => {
      const { approvals } = await this.json('approvals', 'ls');
      return approvals.length >= count && approvals;
    }, `${count} approvals`);
  }
  async run_record(id) { return this.json('runs', 'show', id); }

  // A token of that role, made as by a person at a terminal.
  async token(role) {
    return (await this.json('token', 'new', '--role', role)).token;
  }

  // glovebox serve --http; its address, and the token that it wrote to a file.
  async serve_http(...args) { return this.serve_http_at(0, ...args); }
  async serve_http_at(port, ...args) {
    const child = this.start(program, ['serve', '--workspace', this.folder, '--http', `127.0.0.1:${port}`, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const quiet = args.includes('--open') || this.config.http?.token;
    await Promise.race([
      // Up to the character after it: half of a line may arrive first.
      eventually(() => /listening on [^\s"]+[\s"]/.test(child.err) && (quiet || /bearer token is in [^\s"]+[\s"]/.test(child.err)), 'the gateway listens'),
      child.ended.then((ended) => { throw new Error(`glovebox serve ended with ${ended.code}: ${ended.err}`); }),
    ]);
    child.url = /listening on ([^\s"]+)/.exec(child.err)[1];
    child.token_file = /bearer token is in ([^\s"]+)/.exec(child.err)?.[1];
    child.token = child.token_file ? readFileSync(child.token_file, 'utf8').trim() : this.config.http?.token;
    return child;
  }

  async close() {
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all([...this.#children].map((child) => child.ended));
    // A server that is just ending may write a last line.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

function threads_of(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
// Every process, by its parent. (The lists of children in /proc may lack some while others end.)
function processes_by_parent() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
  return Map.groupBy(pids, (pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
    } catch {
      return undefined;  // it has just ended
    }
  });
}
// Descendants of a process: { pid, command }.
export function descendants(pid, by_parent = processes_by_parent()) {
  return (by_parent.get(pid) ?? []).flatMap((child) => {
    try {
      return [{ pid: child, command: readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' ') }, ...descendants(child, by_parent)];
    } catch {
      return [];
    }
  });
}
// Stops a process and waits until it is stopped: on a busy machine its threads run on for a while after the signal.
export async function stop(pid) {
  process.kill(pid, 'SIGSTOP');
  const stands = (thread) => {
    try {
      return /\) T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8'));
    } catch {
      return false;  // it has just ended, and is not listed again
    }
  };
  await eventually(() => threads_of(pid).every(stands), 'every thread stands still');
}
// A port that the kernel gives to no other program while nothing listens on it: it picks higher ones.
export async function reserved_port() {
  const [lowest_picked] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/).map(Number);
  for (;;) {
    const port = 11_000 + Math.floor(Math.random() * (lowest_picked - 11_000));
    const probe = createServer();
    const is_free = await new Promise((done) => probe.on('error', () => done(false)).listen(port, '127.0.0.1', () => done(true)));
    if (!is_free) continue;
    await new Promise((done) => probe.close(done));
    return port;
  }
}
export const is_alive = (pid) => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
