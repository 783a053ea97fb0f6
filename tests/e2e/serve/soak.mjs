// What many calls, many waiting runs and large results cost the gateway. `make prove` runs all of it.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace, descendants, eventually, pause } from './workspace.mjs';

const full = process.env.GLOVEBOX_PROVE !== undefined;

function use_of(pid) {
  const memory = readFileSync(`/proc/${pid}/status`, 'utf8');
  const children = descendants(pid);
  return {
    rss_mb: Number(/VmRSS:\s+(\d+)/.exec(memory)[1]) / 1024,
    peak_mb: Number(/VmHWM:\s+(\d+)/.exec(memory)[1]) / 1024,
    fds: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/Threads:\s+(\d+)/.exec(memory)[1]),
    children: children.length,
    guests: children.filter((one) => one.command.startsWith('glovebox-guest')).length,
  };
}
// Waits until ended runs are cleaned up, and as many guests wait as the sandbox keeps: four, and their zygote.
async function settled(pid) {
  let seen = use_of(pid);
  let same = 0;
  await eventually(async () => {
    await pause(300);
    const before = seen;
    seen = use_of(pid);
    const is_same = ['fds', 'children', 'threads', 'guests'].every((what) => seen[what] === before[what]) && Math.abs(seen.rss_mb - before.rss_mb) < 1;
    same = is_same && seen.guests === 5 ? same + 1 : 0;
    return same === 4;
  }, 'the gateway is at rest');
  return seen;
}
// Includes the type checker, which is ended if it is too slow and is restarted for the next program.
async function at_rest(agent, pid) {
  await eventually(async () => {
    await agent.execute('await mcp.ledger.read({ n: 1 })');
    return descendants(pid).some((one) => one.command.startsWith('/lib/tsc'));
  }, 'the checker');
  return settled(pid);
}
const shown = (use) => `${use.rss_mb.toFixed(1)} MB (at most ${use.peak_mb.toFixed(1)}), ${use.fds} fds, ${use.threads} threads, ${use.children} children`;
const bytes_of = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).reduce((sum, one) => sum + statSync(`${one.parentPath}/${one.name}`).size, 0);

await run_cases({
  async calls(owned) {
    const total = full ? 100_000 : 3_000;
    const per_run = full ? 500 : 50;
    const at_once = 10;
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    // Both ways to call: one after another, and many at once.
    const code = `let sum = 0;
      for (let n = 0; n < ${per_run / 2}; ++n) sum += (await mcp.ledger.post({ n })).posted.n;
      for (let n = 0; n < ${per_run / 2}; n += ${at_once}) {
        const some = await Promise.all(Array.from({ length: Math.min(${at_once}, ${per_run / 2} - n) }, (_, i) => mcp.ledger.post({ n: n + i })));
        for (const one of some) sum += one.posted.n;
      }
      return sum`;
    const half = per_run / 2;
    const expected = half * (half - 1);
    const one_round = async (runs) => {
      for (let run = 0; run < runs; run += 2) {
        const outcomes = await Promise.all([agent.execute(code), agent.execute(code)]);
        for (const outcome of outcomes) assert.equal(outcome.result, expected, JSON.stringify(outcome.error));
      }
    };
    const runs = total / per_run;
    // The first fifth warms up caches and pools; after that nothing must grow.
    await one_round(runs / 5);
    const before = await at_rest(agent, agent.pid);
    console.log(`after ${total / 5} calls: ${shown(before)}`);
    const begin = process.hrtime.bigint();
    for (let part = 1; part <= 4; ++part) {
      await one_round(runs / 5);
      console.log(`after ${(total / 5) * (part + 1)} calls: ${shown(use_of(agent.pid))}`);
    }
    const seconds = Number(process.hrtime.bigint() - begin) / 1e9;
    const after = await at_rest(agent, agent.pid);
    console.log(`at rest: ${shown(after)}; ${Math.round((total * 0.8) / seconds)} calls/s; state ${(bytes_of(workspace.state) / 1e6).toFixed(1)} MB`);
    assert.equal(workspace.calls('post').length, total);
    for (const what of ['fds', 'children', 'threads']) assert(after[what] <= before[what], `${what}: from ${shown(before)} to ${shown(after)}`);
    assert(after.rss_mb - before.rss_mb < (full ? 16 : 8), `memory grew from ${shown(before)} to ${shown(after)}`);
  },

  async waiting(owned) {
    const total = full ? 1_000 : 100;
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger:read'] }, limits: { waitingRunsPerClient: total } }));
    const http = await workspace.serve_http();
    const agent = owned(await connect(workspace, { http }));
    const before = await at_rest(agent, http.pid);
    const begin = Date.now();
    const waits = [];
    for (let n = 0; n < total; n += 20) {
      waits.push(...await Promise.all(Array.from({ length: 20 }, (_, i) => agent.execute(`return (await mcp.ledger.post({ n: ${n + i} })).posted.n`))));
    }
    for (const wait of waits) assert.equal(wait.status, 'approval_required', JSON.stringify(wait));
    const asked = Date.now();
    // A run that waits for more than a moment costs no process.
    // The client keeps connections for a while.
    await eventually(() => use_of(http.pid).children <= before.children && use_of(http.pid).fds <= before.fds + 8, 'the guests are gone');
    const during = await settled(http.pid);
    assert.equal((await workspace.json('approvals', 'ls')).approvals.length, total);
    console.log(`${total} runs wait after ${asked - begin} ms: ${shown(before)} -> ${shown(during)}`);
    assert(during.children <= before.children, shown(during));
    assert(during.fds <= before.fds + 8, shown(during));
    const answered = Date.now();
    const approver = await workspace.token('approver');
    // Each on its own connection, which ends with it.
    const ask = (method, wait, body) => new Promise((done, fail) => {
      const options = { method, agent: false, headers: { Authorization: `Bearer ${approver}`, 'Content-Type': 'application/json' } };
      request(new URL(`/api/v1/workspaces/1/approvals/${wait.context.id}`, http.url), options, (reply) => {
        let text = '';
        reply.on('data', (data) => { text += data; }).on('end', () => done({ status: reply.statusCode, text }));
      }).on('error', fail).end(body);
    });
    const answer = async (wait) => {
      const { digest } = JSON.parse((await ask('GET', wait)).text);
      return (await ask('POST', wait, JSON.stringify({ decision: 'approve', digest }))).status;
    };
    for (let n = 0; n < total; n += 50) {
      for (const status of await Promise.all(waits.slice(n, n + 50).map(answer))) assert.equal(status, 200);
    }
    await eventually(() => workspace.calls('post').length >= total, 'all are made');
    await eventually(async () => (await workspace.json('runs', 'ls', '--status', 'waiting')).runs.length === 0, 'nobody waits');
    const after = await settled(http.pid);
    console.log(`all done ${Date.now() - answered} ms after the first answer: ${shown(after)}`);
    assert.deepEqual(workspace.calls('post').map((call) => call.args.n).sort((a, b) => a - b), Array.from({ length: total }, (_, n) => n));
    for (const index of [0, total / 2, total - 1]) assert.equal((await workspace.run_record(waits[index].run_id)).outcome.result, index);
    assert(after.children <= before.children, shown(after));
    assert(after.fds <= before.fds + 8, shown(after));
  },

  async large_results(owned) {
    const rounds = full ? 100 : 10;
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    const code = `const { rows } = await mcp.ledger.rows({ n: 10000, width: 1000 });
      return { count: rows.length, bytes: rows.reduce((sum, row) => sum + row.text.length, 0) }`;
    const round = async () => {
      const said = await agent.call('execute_code', { code });
      assert.deepEqual(said.structuredContent.result, { count: 10000, bytes: 10_000_000 }, JSON.stringify(said.structuredContent.error));
      assert(said._meta['glovebox/run'].metrics.toolResultBytes > 10_000_000);
      assert(JSON.stringify(said).length < 3000, 'the agent gets the answer and not the rows');
    };
    const small = await at_rest(agent, agent.pid);
    for (let i = 0; i < 3; ++i) await round();
    const before = await at_rest(agent, agent.pid);
    const begin = Date.now();
    for (let i = 0; i < rounds; ++i) await round();
    const ms = (Date.now() - begin) / rounds;
    const after = await at_rest(agent, agent.pid);
    console.log(`10 MB reduced to an answer: ${ms.toFixed(0)} ms each; ${shown(small)} -> ${shown(before)} -> ${shown(after)}`);
    assert(after.fds <= before.fds, shown(after));
    assert(after.rss_mb - before.rss_mb < 24, `memory grew from ${shown(before)} to ${shown(after)}`);
    // Bytes, and no tree: at most a few copies of the result, beyond what the gateway needs anyway.
    assert(after.peak_mb - small.rss_mb < 75, `${shown(small)} -> ${shown(after)}`);
  },
});
