// kill -9 of the gateway while people are asked: nothing is lost, and nothing is done twice.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace, descendants, eventually, is_alive, pause } from './workspace.mjs';

const asking = () => new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] } });
const numbers = (workspace, tool = 'post') => workspace.calls(tool).map((call) => call.args.n).sort();

// How many replies the code of a run has got, according to the store.
function replies(workspace, run) {
  const store = new DatabaseSync(join(workspace.state, 'glovebox.db'), { readOnly: true, timeout: 60_000 });
  try {
    return store.prepare('SELECT count(*) AS count FROM journal WHERE run = ? AND kind = 1').get(run).count;
  } finally {
    store.close();
  }
}

async function kill(agent) {
  const { pid } = agent;
  const family = [pid, ...descendants(pid).map((one) => one.pid)];
  process.kill(pid, 'SIGKILL');
  await eventually(() => !family.some(is_alive), 'the gateway is dead, and all that it had started');
  await agent.close();
}
const finished = (workspace, run) => eventually(async () => {
  const record = await workspace.run_record(run);
  return ['finished', 'failed', 'cancelled'].includes(record.status) && record;
}, `${run} ends`);

await run_cases({
  async three_runs_wait(owned) {
    const workspace = owned(asking());
    const first = await connect(workspace);
    const waits = await Promise.all([1, 2, 3].map((n) => first.execute(`
      const before = await mcp.ledger.read({ n: ${n} });
      const { posted } = await mcp.ledger.post({ n: ${n} });
      const after = await mcp.ledger.read({ n: ${n + 10} });
      return [before, posted.n, after]`)));
    const approvals = await workspace.waiting(3);
    assert.equal(approvals.length, 3);
    await kill(first);
    assert.deepEqual(numbers(workspace), []);
    // One answer while no gateway runs, one to the next gateway, one through its agent.
    const id_of = (wait) => approvals.find((approval) => approval.run === wait.run_id).id;
    assert.equal((await workspace.json('approvals', 'approve', id_of(waits[0]))).gatewayRuns, false);
    const second = owned(await connect(workspace));
    await workspace.json('approvals', 'approve', id_of(waits[1]));
    const third = (await second.call('continue_run', { run_id: waits[2].run_id, approval_id: waits[2].approval_id, approved: true })).structuredContent;
    assert.deepEqual(third.result, ['read 3', 3, 'read 13']);
    for (const [index, wait] of waits.entries()) {
      const record = await finished(workspace, wait.run_id);
      assert.equal(record.status, 'finished', JSON.stringify(record));
      assert.deepEqual(record.outcome.result, [`read ${index + 1}`, index + 1, `read ${index + 11}`]);
    }
    assert.deepEqual(numbers(workspace), [1, 2, 3]);
    assert.deepEqual(numbers(workspace, 'read').sort((a, b) => a - b), [1, 2, 3, 11, 12, 13], 'what was done before is not done again');
    assert.equal((await workspace.json('audit', 'verify')).ok, true);
  },

  async one_run_waits_for_three_calls(owned) {
    const workspace = owned(asking());
    const first = await connect(workspace);
    const waits = await first.asks_about(3, `
      const random = Math.random(), now = Date.now();
      const before = await mcp.ledger.read({ n: 0 });
      const done = await Promise.all([1, 2, 3].map((n) => mcp.ledger.post({ n, random, now })));
      return { before, done: done.map((one) => one.posted.n) }`);
    const reads = numbers(workspace, 'read');
    await kill(first);
    // Again, with no answer in between.
    const second = await connect(workspace);
    assert.equal((await second.call('get_run', { run_id: waits.run_id })).structuredContent.status, 'approval_required');
    await kill(second);
    assert.deepEqual(numbers(workspace), []);
    const third = owned(await connect(workspace));
    const outcome = (await third.call('continue_run', { run_id: waits.run_id, approval_id: waits.approval_id, approved: true })).structuredContent;
    assert.deepEqual(outcome.result?.done, [1, 2, 3], JSON.stringify(outcome));
    assert.equal(outcome.result.before, 'read 0');
    assert.deepEqual(numbers(workspace), [1, 2, 3]);
    assert.deepEqual(numbers(workspace, 'read'), reads, 'what was done before is not done again');
    // Exactly what the person saw.
    assert.deepEqual(workspace.calls('post').map((call) => call.args).sort((a, b) => a.n - b.n), waits.context.calls.map((call) => call.arguments));
  },

  // Each answered separately, with the gateway killed after each.
  async killed_between_the_answers(owned) {
    const workspace = owned(asking());
    let agent = await connect(workspace);
    const waits = await agent.asks_about(3, `return (await Promise.all([1, 2, 3].map((n) => mcp.ledger.post({ n })))).map((one) => one.posted.n)`);
    for (const [index, call] of waits.context.calls.entries()) {
      await workspace.json('approvals', 'approve', waits.context.id, '--call', String(call.call));
      await eventually(() => workspace.calls('post').length === index + 1, 'the call is made');
      // The reply is in the journal before the run continues. Until then, the outcome of the call is unknown.
      if (index < 2) {
        await eventually(() => replies(workspace, waits.run_id) === index + 1, 'its end is known');
        await kill(agent);
        agent = await connect(workspace);
      }
    }
    owned(agent);
    const record = await finished(workspace, waits.run_id);
    assert.deepEqual(record.outcome.result, [1, 2, 3], JSON.stringify(record.outcome));
    assert.deepEqual(numbers(workspace), [1, 2, 3]);
  },

  // Killed in the middle of an approved call: it may have happened, and is not made again.
  async killed_in_the_middle_of_a_call(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:slow'], allow: ['ledger'] } }));
    const first = await connect(workspace);
    const waits = await first.execute(`try { return await mcp.ledger.slow({ n: 1, ms: 60000 }) } catch (error) { return [error.name, error.code] }`);
    await workspace.json('approvals', 'approve', waits.context.id);
    await eventually(() => workspace.calls('slow').length === 1, 'the call is under way');
    await kill(first);
    owned(await connect(workspace));
    const record = await finished(workspace, waits.run_id);
    assert.deepEqual(record.outcome.result, ['MCPToolError', 'OUTCOME_UNKNOWN'], JSON.stringify(record.outcome));
    assert.equal(workspace.calls('slow').length, 1);
  },

  // Whenever it dies: a call is made once, or its outcome is unknown and it is not made again.
  async killed_at_any_moment(owned) {
    const workspace = owned(asking());
    let agent = await connect(workspace);
    const waits = await Promise.all(Array.from({ length: 12 }, (_, n) => agent.execute(`
      const told = [];
      for (const half of [0, 100]) try { told.push((await mcp.ledger.post({ n: ${n} + half })).posted.n) } catch (error) { told.push(error.code) }
      return told`)));
    const approving = (async () => {
      for (;;) {
        const { approvals } = await workspace.json('approvals', 'ls');
        // One after another, so that each gateway process has something to do.
        for (const { id } of approvals) {
          await workspace.run('approvals', 'approve', id);
          await pause(100);
        }
        const { runs } = await workspace.json('runs', 'ls');
        if (runs.every((run) => ['finished', 'failed', 'cancelled'].includes(run.status))) return;
      }
    })();
    let over = false;
    approving.then(() => { over = true; });
    let kills = 0;
    for (; kills < 8 && !over; ++kills) {
      await pause(150 + 150 * kills);
      await kill(agent);
      agent = await connect(workspace);
    }
    owned(agent);
    await approving;
    const made = numbers(workspace);
    assert(kills > 2 && made.length > 0, `killed ${kills} times, ${made.length} calls made`);
    assert.equal(new Set(made).size, made.length, `nothing is done twice: ${made}`);
    let unknown = 0;
    for (const [n, wait] of waits.entries()) {
      const { status, outcome } = await workspace.run_record(wait.run_id);
      assert.equal(status, 'finished', JSON.stringify(outcome));
      for (const [index, told] of outcome.result.entries()) {
        const asked = n + index * 100;
        if (told === 'OUTCOME_UNKNOWN') {
          ++unknown;
          continue;
        }
        assert.equal(told, asked);
        assert(made.includes(asked), 'what is said to be done is done');
      }
    }
    console.log(`killed ${kills} times: ${made.length} calls made, the outcome of ${unknown} is unknown`);
    assert.equal((await workspace.json('audit', 'verify')).ok, true);
  },

  // Orderly shutdown: what is under way completes, and nothing new begins.
  async a_signal_lets_what_is_under_way_end(owned) {
    const workspace = owned(new Workspace());
    const http = await workspace.serve_http();
    const agent = owned(await connect(workspace, { http }));
    const viewer = await workspace.token('viewer');
    const ready = () => fetch(new URL('/readyz', http.url), { headers: { Authorization: `Bearer ${viewer}` } });
    await eventually(async () => (await ready()).status === 200, 'it is ready');
    const under_way = agent.execute('await mcp.ledger.together({ count: 2 }); return "all of it"');
    const until = join(workspace.folder, 'until');
    const tasks = ['slow', 'post'].map((tool, index) => ({ id: tool, type: 'mcp_tool', tool: `ledger:${tool}`, arguments: { until }, dependencies: index ? ['slow'] : [] }));
    const workflow = agent.call('run_workflow', { workflow: { tasks } });
    const released = agent.execute('await mcp.ledger.slow(context); return await mcp.ledger.together({ count: 2 })', { context: { until } });
    await eventually(() => workspace.calls('together').length === 1 && workspace.calls('slow').length === 2, 'all are under way');
    http.kill('SIGTERM');
    await eventually(async () => (await ready()).status === 503, 'it says so');
    assert.deepEqual((await (await ready()).json()).lacking, ['stopping']);
    const late = await agent.execute('return 1');
    assert.equal(late.error.code, 'SHUTTING_DOWN');
    assert(late.retryAfterMs > 0);
    assert.equal((await agent.call('run_workflow', { workflow: { tasks } })).structuredContent.error.code, 'SHUTTING_DOWN');
    writeFileSync(until, '');
    assert.equal((await under_way).result, 'all of it');
    assert.equal((await released).result, 'all were here');
    const told = (await workflow).structuredContent;
    assert.match(told.note, /resumes when it is back/);
    assert.equal((await http.ended).code, 0);
    assert.equal(workspace.calls('post').length, 0, 'no further task has begun');
    owned(await connect(workspace));
    const ended = await eventually(async () => {
      const record = await workspace.run_record(told.workflow_id);
      return record.status === 'finished' && record;
    }, 'the workflow ends');
    assert(ended);
    assert.equal(workspace.calls('slow').length, 2, 'what had ended is not done again');
    assert.equal(workspace.calls('post').length, 1);
  },

  async a_second_signal_parks_what_is_under_way(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['ledger'], idempotent: ['ledger:together'] } }));
    const http = await workspace.serve_http();
    const agent = owned(await connect(workspace, { http }));
    const unknown = agent.execute('const before = await mcp.ledger.post({ n: 1 }); try { return await mcp.ledger.slow({ ms: 600000 }) } catch (error) { return [error.code, before.posted.n] }');
    const again = agent.execute('await mcp.ledger.post({ n: 2 }); return await mcp.ledger.together({ count: 2 })');
    await eventually(() => workspace.calls('slow').length === 1 && workspace.calls('together').length === 1, 'both are under way');
    http.kill('SIGTERM');
    await eventually(() => /shutting down/.test(http.err), 'it waits for them');
    http.kill('SIGTERM');
    const parked = await Promise.all([unknown, again]);
    for (const one of parked) assert.equal(one.status, 'parked', JSON.stringify(one));
    assert.equal((await http.ended).code, 0);
    const next = owned(await connect(workspace));
    await eventually(() => workspace.calls('together').length === 2, 'what may be made twice is made again');
    await next.execute('return await mcp.ledger.together({ count: 2 })');
    const records = await Promise.all(parked.map((one) => finished(workspace, one.run_id)));
    assert.deepEqual(records[0].outcome.result, ['OUTCOME_UNKNOWN', 1]);
    assert.equal(records[1].outcome.result, 'all were here');
    assert.deepEqual(numbers(workspace), [1, 2], 'what had an answer is not done again');
    assert.equal(workspace.calls('slow').length, 1);
    assert.equal((await workspace.json('audit', 'verify')).ok, true);
  },

  // The owner sets the grace period, and what needs more time is parked.
  async the_end_of_input_is_an_orderly_end(owned) {
    const workspace = owned(new Workspace({ shutdownGraceMs: 5000 }));
    const agent = await connect(workspace);
    const soon = agent.execute('await mcp.ledger.slow({ ms: 300 }); return 7');
    const late = agent.execute('return await mcp.ledger.slow({ ms: 600000 })');
    await eventually(() => workspace.calls('slow').length === 2, 'both are under way');
    const child = agent.transport._process;
    const ended = new Promise((done) => child.once('exit', (code, signal) => done({ code, signal })));
    child.stdin.end();
    assert.equal((await soon).result, 7);
    assert.equal((await late).status, 'parked');
    assert.deepEqual(await ended, { code: 0, signal: null });
    await agent.close();
  },

  async what_nobody_runs_is_cancelled_at_once(owned) {
    const workspace = owned(asking());
    const agent = await connect(workspace);
    const waits = await agent.execute('return await mcp.ledger.post({ n: 1 })');
    await kill(agent);
    assert.equal((await workspace.json('runs', 'cancel', waits.run_id)).status, 'cancelled');
    assert.equal((await workspace.run_record(waits.run_id)).status, 'cancelled');
    assert.deepEqual((await workspace.json('approvals', 'ls')).approvals, []);
    assert.equal((await workspace.json('runs', 'cancel', waits.run_id)).error.code, 'CONFLICT');
  },

  // A gateway that is killed while it runs code leaves nothing behind that still runs.
  async killed_while_code_runs(owned) {
    const workspace = owned(asking());
    const first = await connect(workspace);
    first.execute('await mcp.ledger.read({ n: 1 }); for (;;) {}').catch(() => {});
    await eventually(() => workspace.calls('read').length === 1, 'it runs');
    await kill(first);
    const second = owned(await connect(workspace));
    assert.equal((await second.execute('return 1')).result, 1);
    await eventually(async () => (await workspace.json('runs', 'ls', '--status', 'running')).runs.length === 0, 'and no run that seems to go on');
    assert.equal((await workspace.json('audit', 'verify')).ok, true);
  },
});
