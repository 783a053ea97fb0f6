// Whole plans: tools and code, decisions on the way, a gateway that dies in the middle.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace, descendants, eventually, is_alive, program } from './workspace.mjs';

const examples = join(dirname(fileURLToPath(import.meta.url)), '../../../examples/workflow');
const allowed = { permissions: { allow: ['ledger'], idempotent: ['ledger:read', 'ledger:slow'] } };
const tool = (id, name, args = {}, dependencies = []) => ({ id, type: 'mcp_tool', tool: `ledger:${name}`, arguments: args, dependencies });
const code = (id, text, dependencies = []) => ({ id, type: 'code_execution', code: text, dependencies });
const ended = ['finished', 'partial', 'failed', 'aborted', 'dead'];
const finished = (workspace, id) => eventually(async () => {
  const record = await workspace.json('runs', 'show', id);
  return ended.includes(record.status) && record;
}, `${id} ends`);
async function kill(pid) {
  const family = [pid, ...descendants(pid).map((one) => one.pid)];
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;  // it had already ended
  }
  await eventually(() => !family.some(is_alive), 'the gateway is dead, and all that it had started');
}

await run_cases({
  async a_plan_of_tools_and_code(owned) {
    const workspace = owned(new Workspace(allowed));
    for (const era of ['legacy', 'modern']) {
      const agent = owned(await connect(workspace, { era }));
      const reply = await agent.call('run_workflow', {
        workflow: { tasks: [
          tool('rows', 'rows', { n: 3, width: 2 }),
          code('count', 'return { n: deps.rows.output.rows.length, by: context.input.who }', ['rows']),
          tool('post', 'post', { n: '$OUTPUT[count].n', text: 'by $INPUT.who' }, ['count']),
        ] },
        input: { who: 'ann' },
      }, { onprogress() {} });
      const { outcome, status } = reply.structuredContent;
      assert.equal(status, 'finished', JSON.stringify(reply));
      assert.deepEqual(outcome.outputs, { post: { posted: { n: 3, text: 'by ann' } } });
      assert(agent.progress.some(({ message }) => /layer 2: post/.test(message)), JSON.stringify(agent.progress));
    }
    const keys = workspace.calls().map((call) => call.key);
    assert.equal(new Set(keys).size, 4, 'each call has a key of its own');
    assert(keys.every((key) => /^[0-9a-f]{64}$/.test(key)));
  },

  async what_is_wrong_is_told_before_anything_runs(owned) {
    const workspace = owned(new Workspace(allowed));
    const agent = owned(await connect(workspace));
    const reply = await agent.call('run_workflow', { workflow: { tasks: [
      tool('a', 'post'), tool('b', 'posst'), { ...code('c', '1'), retry: { attempts: 'many' } },
    ] } });
    assert(reply.isError);
    assert.match(reply.content[0].text, /tasks\[2\]\.retry\.attempts/);
    const other = await agent.call('run_workflow', { workflow: { tasks: [tool('a', 'post'), tool('b', 'posst')] } });
    assert.match(other.content[0].text, /tasks\[1\]\.tool: ledger has no tool posst; did you mean post\?/);
    assert.deepEqual(workspace.calls(), []);
    // From a file, with line numbers.
    writeFileSync(join(workspace.folder, 'w.json'), '{\n  "tasks": [\n    {"id": "a", "type": "mcp_tool", "tool": "ledger:posst"}\n  ]\n}');
    const { code: exit, err } = await workspace.run('run', join(workspace.folder, 'w.json'));
    assert.equal(exit, 2);
    assert.match(err, /w\.json:3:45: ledger has no tool posst/);
  },

  async an_agent_decides_after_a_layer(owned) {
    const workspace = owned(new Workspace(allowed));
    const agent = owned(await connect(workspace));
    const first = (await agent.call('run_workflow', { workflow: { decisions: 'agent', tasks: [
      tool('a', 'post', { n: 1 }), tool('b', 'post', { n: 2 }, ['a']), tool('c', 'post', { n: 3 }, ['b']),
    ] } })).structuredContent;
    assert.equal(first.status, 'layer_complete');
    assert.deepEqual(first.tasks.find((task) => task.id === 'a').output, { posted: { n: 1 } });
    assert(first.options.includes('continue'));
    assert.equal(workspace.calls().length, 1);
    const command = (name, more = {}) => agent.call('workflow_command', { workflow_id: first.workflow_id, command: name, ...more });
    await command('modify_args', { task: 'b', arguments: { n: 20 } });
    assert((await command('modify_args', { task: 'a', arguments: {} })).isError);
    const second = (await command('continue')).structuredContent;
    assert.equal(second.status, 'layer_complete');
    await command('replan_dag', { tasks: [tool('d', 'post', { n: 4 }, ['b'])] });
    const last = (await command('continue')).structuredContent;
    assert.equal(last.status, 'finished');
    assert.deepEqual(workspace.calls().map((call) => call.args.n), [1, 20, 4]);
  },

  async an_agent_lists_forks_and_rolls_back(owned) {
    const workspace = owned(new Workspace(allowed));
    const agent = owned(await connect(workspace));
    const first = (await agent.call('run_workflow', { workflow: { intent: 'to branch', tasks: [
      tool('a', 'post', { n: 1 }), tool('b', 'post', { n: 2 }, ['a']),
    ] } })).structuredContent;
    assert.equal(first.status, 'finished');
    const { workflows } = (await agent.call('list_runs')).structuredContent;
    assert.deepEqual(workflows.map((listed) => [listed.workflow_id, listed.status]), [[first.workflow_id, 'finished']]);
    assert.deepEqual((await agent.call('list_runs', { status: 'paused' })).structuredContent, { runs: [], workflows: [] });
    const command = (name, more = {}) => agent.call('workflow_command', { workflow_id: first.workflow_id, command: name, ...more });
    const shown = (await agent.call('get_run', { run_id: first.workflow_id })).structuredContent;
    const { checkpoint } = shown.checkpoints.findLast((point) => point.kind === 'layer_end' && point.label === '0');
    // The result of a is kept; b is done with other arguments.
    const forked = (await command('fork', { checkpoint, args: { b: { n: 20 } } })).structuredContent;
    assert.equal(forked.status, 'finished', JSON.stringify(forked));
    assert.notEqual(forked.workflow_id, first.workflow_id);
    assert.deepEqual(workspace.calls('post').map((call) => call.args.n), [1, 2, 20]);
    assert((await command('fork', { args: { a: { n: 5 } } })).isError, 'a has ended there');
    assert((await command('rollback')).isError, 'where to?');
    assert((await command('rollback', { checkpoint: 99 })).isError);
    const back = (await command('rollback', { checkpoint })).structuredContent;
    assert.deepEqual(back.tasks.map((task) => task.status), ['completed', 'pending']);
    assert.equal((await command('continue')).structuredContent.status, 'finished');
    assert.deepEqual(workspace.calls('post').map((call) => call.args.n), [1, 2, 20, 2]);
  },

  // Every command in every state gets an answer.
  async every_command_is_answered_in_every_state(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:rows'], allow: ['ledger'] } }));
    const agent = owned(await connect(workspace));
    const chain = (first) => [first, tool('b', 'post', { n: 2 }, ['a']), tool('c', 'post', { n: 3 }, ['b'])];
    const begin = async (workflow, wait = true) => (await agent.call('run_workflow', { wait, workflow })).structuredContent.workflow_id;
    const command = (workflow_id, name, more = {}) => agent.call('workflow_command', { workflow_id, command: name, ...more });
    const states = {
      running: () => begin({ tasks: chain(tool('a', 'slow', { ms: 300 })) }, false),
      async paused() {
        const id = await begin({ tasks: chain(tool('a', 'slow', { ms: 100 })) }, false);
        await command(id, 'pause');
        return id;
      },
      agent_decides: () => begin({ decisions: 'agent', tasks: chain(tool('a', 'post')) }),
      person_decides: () => begin({ decisions: 'human', tasks: chain(tool('a', 'post')) }),
      approval: () => begin({ tasks: chain(tool('a', 'rows', { n: 1, width: 1 })) }),
      finished: () => begin({ tasks: [tool('a', 'post')] }),
      async rolled_back() {
        const id = await begin({ tasks: chain(tool('a', 'post')) });
        await command(id, 'rollback', { checkpoint: 2 });
        return id;
      },
      async aborted() {
        const id = await begin({ decisions: 'agent', tasks: chain(tool('a', 'post')) });
        await command(id, 'abort');
        return id;
      },
    };
    const commands = {
      continue: {}, pause: {}, skip_layer: {}, modify_args: { task: 'b', arguments: { n: 5 } }, inject_tasks: { tasks: [tool('d', 'post')] },
      replan_dag: { tasks: [tool('e', 'post')] }, approval_response: { task: 'a', approved: false }, rollback: { checkpoint: 1 }, fork: {}, abort: {},
    };
    for (const [state, make] of Object.entries(states)) {
      await Promise.all(Object.entries(commands).map(async ([name, more]) => {
        const id = await make();
        const answer = await command(id, name, more);
        assert(answer.isError || answer.structuredContent.workflow_id, `${name} of one that is ${state}`);
      }));
    }
    // The state after the rollback is reported, not the earlier ending.
    const id = await begin({ tasks: chain(tool('a', 'post')) });
    const back = await command(id, 'rollback', { checkpoint: 2 });
    assert.equal(back.structuredContent.status, 'paused');
    assert.equal(back.structuredContent.outcome, undefined);
    assert.equal(JSON.parse(back.content[0].text).status, 'paused');
  },

  // In a workspace without a gateway, a command carries itself out.
  async commands_without_a_gateway(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:rows'], allow: ['ledger'] } }));
    const agent = owned(await connect(workspace));
    const ask = { decisions: 'agent', tasks: [tool('a', 'post', { n: 1 }), tool('b', 'post', { n: 2 }, ['a'])] };
    const begin = async (workflow) => (await agent.call('run_workflow', { workflow })).structuredContent.workflow_id;
    const [aborted, changed, waits] = [await begin(ask), await begin(ask), await begin({ tasks: [tool('a', 'rows', { n: 1, width: 1 })] })];
    const quiet = { ...ask, tasks: [code('a', 'return 1'), ask.tasks[1]] };
    const [asked, skipped] = [await begin({ ...quiet, decisions: 'human' }), await begin(quiet)];
    await kill(agent.pid);
    assert.equal((await workspace.json('runs', 'abort', aborted, '--reason', 'enough')).status, 'aborted');
    assert.equal((await workspace.json('runs', 'show', aborted)).outcome.reason, 'enough');
    assert.equal((await workspace.run('runs', 'abort', aborted)).code, 5);
    assert.equal((await workspace.json('runs', 'abort', waits)).status, 'aborted');
    assert.equal((await workspace.json('approvals', 'ls')).approvals.length, 0);
    await workspace.json('runs', 'command', changed, 'modify_args', JSON.stringify({ task: 'b', arguments: { n: 20 } }));
    assert.equal((await workspace.run('runs', 'command', changed, 'modify_args', JSON.stringify({ task: 'a', arguments: {} }))).code, 5);
    assert.equal((await workspace.json('runs', 'command', changed, 'continue')).status, 'running');
    assert.deepEqual(workspace.calls('post').map((call) => call.args.n), [1, 1], 'no task begins');
    assert.equal((await workspace.run('runs', 'resume', changed)).code, 0);
    assert.deepEqual(workspace.calls('post').map((call) => call.args.n), [1, 1, 20]);
    // A question that is changed is shown as it is now; a layer that is skipped may have been the last.
    assert.equal((await workspace.json('runs', 'command', asked, 'modify_args', JSON.stringify({ task: 'b', arguments: { n: 30 } }))).status, 'waiting');
    assert.deepEqual((await workspace.json('runs', 'show', asked)).waitsFor[0].tasks[0].arguments, { n: 30 });
    assert.equal((await workspace.json('runs', 'command', skipped, 'skip_layer')).status, 'finished');
  },

  // There is no person to ask: what is under way completes, and the question stays open.
  async a_question_cuts_nothing_short(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] } }));
    writeFileSync(join(workspace.folder, 'two.json'), JSON.stringify({ tasks: [tool('charge', 'slow', { ms: 500 }), tool('mail', 'post', { n: 1 }), tool('last', 'read', { n: 2 }, ['charge', 'mail'])] }));
    const run = await workspace.run('run', join(workspace.folder, 'two.json'));
    assert.equal(run.code, 6, run.err);
    const [, id] = /workflow (wf_\w+)/.exec(run.err);
    const task = async (name) => (await workspace.json('runs', 'show', id)).tasks.find((one) => one.id === name).status;
    assert.equal(await task('charge'), 'completed');
    // Asked again, by a process that did not start it.
    const again = await workspace.run('runs', 'resume', id);
    assert.equal(again.code, 6, again.err);
    const [{ id: approval }] = await workspace.waiting(1);
    assert.match(again.err, new RegExp(approval));
    const done = await workspace.at_terminal('runs', 'resume', id);
    assert.equal(done.code, 0, done.err);
    assert.deepEqual(workspace.ledger().filter((entry) => entry.state === 'called').map((entry) => entry.tool), ['slow', 'post', 'read']);
  },

  async a_person_is_asked_by_their_client(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] } }));
    for (const era of ['legacy', 'modern']) {
      const before = workspace.calls('post').length;
      const asked = [];
      const agent = owned(await connect(workspace, { era, answer: (params) => {
        asked.push({ message: params.message, calls: workspace.calls('post').length - before });
        return { action: 'accept', content: { decision: 'approve' } };
      } }));
      const reply = (await agent.call('run_workflow', { workflow: { decisions: { read: 'human' }, tasks: [
        tool('read', 'read', { n: 1 }), tool('post', 'post', { n: 1 }, ['read']),
      ] } })).structuredContent;
      assert.equal(reply.status, 'finished', JSON.stringify(reply));
      assert.equal(asked.length, 2);
      assert.match(asked[0].message, /Layer 0 .* is complete/);
      assert.match(asked[1].message, /ledger\.post/);
      assert.equal(asked[1].calls, 0, 'nothing happens before');
    }
    // A client that cannot ask gets an error, and cannot decide itself.
    const agent = owned(await connect(workspace));
    const waits = (await agent.call('run_workflow', { workflow: { decisions: 'human', tasks: [
      code('a', 'return 1'), code('b', 'return 2', ['a']),
    ] } })).structuredContent;
    assert.equal(waits.status, 'decision_required');
    assert((await agent.call('workflow_command', { workflow_id: waits.workflow_id, command: 'continue' })).isError);
    assert((await agent.call('workflow_command', { workflow_id: waits.workflow_id, command: 'modify_args', task: 'b', arguments: { n: 1 } })).isError);
    // Nor does a command approve tasks that it does not name, or without a person.
    const [{ digest, tasks }] = waits.waitsFor;
    assert.equal(tasks[0].code, 'return 2');
    assert.equal((await workspace.run('runs', 'resume', waits.workflow_id)).code, 6);
    assert.equal((await workspace.run('runs', 'command', waits.workflow_id, 'continue', JSON.stringify({ digest }))).code, 2);
    const resumed = await workspace.at_terminal('runs', 'resume', waits.workflow_id);
    assert.equal(resumed.code, 0, resumed.err);
    assert.equal((await finished(workspace, waits.workflow_id)).status, 'finished');
  },

  async killed_in_the_middle_it_goes_on(owned) {
    const workspace = owned(new Workspace(allowed));
    const first = await connect(workspace);
    const started = (await first.call('run_workflow', { wait: false, workflow: { tasks: [
      tool('a', 'post', { n: 1 }), tool('b', 'slow', { ms: 600_000, again: 0 }, ['a']),
      code('c', 'return deps.a.output.posted.n + 1', ['b', 'a']), tool('d', 'post', { n: '$OUTPUT[c]' }, ['c']),
    ] } })).structuredContent;
    await eventually(() => workspace.calls('slow').length === 1, 'the slow call is under way');
    await kill(first.pid);
    await first.close();
    assert.equal(workspace.calls('post').length, 1);
    owned(await connect(workspace));
    const record = await finished(workspace, started.workflow_id);
    assert.equal(record.status, 'finished', JSON.stringify(record));
    assert.deepEqual(workspace.calls('post').map((call) => call.args.n), [1, 2], 'what has ended is not done again');
    const slow = workspace.calls('slow');
    assert.equal(slow.length, 2, 'the call whose outcome was unknown is made again, since it may be');
    assert.equal(slow[0].key, slow[1].key);
    const { out } = await workspace.run('runs', 'logs', started.workflow_id, '--json');
    const events = out.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(events.map((event) => event.event), events.map((_, index) => index + 1));
    assert.equal((await workspace.json('audit', 'verify')).ok, true);
  },

  async events_over_http(owned) {
    const workspace = owned(new Workspace(allowed));
    const http = await workspace.serve_http();
    const agent = owned(await connect(workspace, { http }));
    const { workflow_id } = (await agent.call('run_workflow', { wait: false, workflow: { decisions: 'human', tasks: [
      tool('a', 'post', { n: 1 }), tool('b', 'post', { n: 2 }, ['a']),
    ] } })).structuredContent;
    const root = new URL(http.url).origin;
    const headers = { Authorization: `Bearer ${await workspace.token('operator')}`, 'Content-Type': 'application/json' };
    const of_agent = { ...headers, Authorization: `Bearer ${http.token}` };
    assert.equal((await fetch(`${root}/workflows/${workflow_id}/events`)).status, 401);
    assert.equal((await fetch(`${root}/workflows/wf_nobody/events`, { headers })).status, 404);
    // Reads events until one of this type arrives.
    const read_until = async (type, more = {}, query = '') => {
      const response = await fetch(`${root}/workflows/${workflow_id}/events${query}`, { headers: { ...headers, ...more } });
      assert.equal(response.headers.get('content-type').split(';')[0], 'text/event-stream');
      const seen = [];
      let text = '';
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      while (!seen.some((event) => event.type === type)) {
        const { value, done } = await reader.read();
        if (done) break;
        text += value;
        const parts = text.split('\n\n');
        text = parts.pop();
        for (const part of parts) {
          const id = /^id: (\d+)$/m.exec(part)?.[1];
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data) seen.push({ id: Number(id), ...JSON.parse(data) });
        }
      }
      await reader.cancel();
      return seen;
    };
    const before = await read_until('decision_required');
    assert.deepEqual(before.map((event) => event.id), before.map((_, index) => index + 1));
    const post = (body) => fetch(`${root}/workflows/${workflow_id}/commands`, { method: 'POST', body: JSON.stringify(body), headers });
    assert.equal((await post({ type: 'no_such' })).status, 400);
    assert.equal((await post({ type: 'continue' })).status, 409);
    const { waitsFor: [{ digest }] } = await (await fetch(`${root}/workflows/${workflow_id}`, { headers })).json();
    const by_agent = await fetch(`${root}/workflows/${workflow_id}/commands`, { method: 'POST', body: JSON.stringify({ type: 'continue', digest }), headers: of_agent });
    assert.equal(by_agent.status, 409, 'a person decides here');
    assert.equal((await post({ type: 'continue', digest })).status, 202);
    assert.equal((await post({ type: 'continue', digest })).status, 409);
    const last = before.at(-1).id;
    const after = await read_until('workflow_complete', { 'Last-Event-ID': String(last) });
    assert.equal(after[0].id, last + 1, 'none is lost, and none comes twice');
    const again = await read_until('workflow_complete', {}, `?after=${last}`);
    assert.deepEqual(again.map((event) => event.id).slice(0, 3), after.map((event) => event.id).slice(0, 3));
    const { workflows } = await (await fetch(`${root}/workflows`, { headers })).json();
    assert.equal(workflows[0].workflow_id, workflow_id);
    const { checkpoints } = await (await fetch(`${root}/workflows/${workflow_id}`, { headers })).json();
    const { checkpoint } = checkpoints.findLast((point) => point.kind === 'layer_end' && point.label === '0');
    assert.equal((await post({ type: 'rollback', to: checkpoint })).status, 400);
    const forked = await post({ type: 'fork', checkpoint, args: { b: { n: 20 } } });
    assert.equal(forked.status, 201);
    const { workflow_id: other } = await forked.json();
    assert.notEqual(other, workflow_id);
    assert.equal((await post({ type: 'rollback', checkpoint })).status, 202);
    const rolled = await (await fetch(`${root}/workflows/${workflow_id}`, { headers })).json();
    assert.deepEqual(rolled.tasks.map((task) => task.status), ['completed', 'pending']);
  },

  // As in the README, with a kill in between.
  async the_example_from_the_command_line(owned) {
    const workspace = owned(new Workspace());
    const folder = join(workspace.folder, 'data');
    for (const name of ['a.txt', 'b.txt', 'c.md']) writeFileSync(join(folder, name), name);
    copyFileSync(join(examples, 'inventory.json'), join(workspace.folder, 'inventory.json'));
    const config = readFileSync(join(examples, 'glovebox.json'), 'utf8').replace(/^\s*\/\/.*$/gm, '');
    workspace.config = JSON.parse(config);
    workspace.config.mcpServers.fs = workspace.npm_server('server-filesystem', [folder]);
    workspace.write_config();
    const run = workspace.start(program, ['run', 'inventory.json', '--input', JSON.stringify({ folder }), '--json', '--workspace', workspace.folder],
      { stdio: ['ignore', 'pipe', 'pipe'] });
    const id = await eventually(() => /"workflow_id":"(wf_\w+)"/.exec(run.out)?.[1], 'it has begun');
    await kill(run.pid);
    await run.ended;
    assert(!existsSync(join(folder, 'report.txt')));
    // Continues to the decision, if it was not reached yet, and beyond it.
    const once = await workspace.run('runs', 'resume', id);
    assert.equal(once.code, 6, once.err);
    const beyond = await workspace.at_terminal('runs', 'resume', id);
    assert.equal(beyond.code, 0, beyond.err);
    assert.equal(readFileSync(join(folder, 'report.txt'), 'utf8'), '3 files: {"txt":2,"md":1}\n');
    const record = await workspace.json('runs', 'show', id);
    assert.equal(record.status, 'finished');
    assert.equal(record.outcome.state.context.files, 3);
  },
});
