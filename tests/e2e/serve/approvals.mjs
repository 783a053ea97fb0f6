// Approval by a person: each way to answer, each scope of an answer.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace, eventually, program } from './workspace.mjs';

const asking = (more = {}) => new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] }, ...more });
const post = 'return await mcp.ledger.post({ n: 1 })';
const posted = { posted: { n: 1 } };
// Who approved, and how, is in the log of the workspace, and the log is complete.
async function assert_answered(workspace, channel, decision = 'approved') {
  const { out } = await workspace.run('audit');
  assert.match(out, new RegExp(`approval\\.answered.*decision=${decision}.*channel=${channel}`));
  assert.equal((await workspace.json('audit', 'verify')).ok, true);
}
const numbers = (workspace) => workspace.calls('post').map((call) => call.args.n);

await run_cases({
  async by_elicitation(owned) {
    const workspace = owned(asking());
    const asked = [];
    const agent = owned(await connect(workspace, { answer: (params) => {
      asked.push({ params, calls: workspace.calls('post').length });
      return { action: 'accept', content: { decision: 'approve' } };
    } }));
    const outcome = await agent.execute(post, { intent: 'try it' });
    assert.deepEqual(outcome.result, posted);
    assert.equal(asked.length, 1);
    assert.equal(asked[0].calls, 0, 'nothing happens before');
    for (const part of ['ledger.post', '"n": 1', 'try it', post]) assert(asked[0].params.message.includes(part), asked[0].params.message);
    assert.deepEqual(numbers(workspace), [1]);
    assert(agent.wire.some((entry) => entry.from === 'server' && entry.message.method === 'elicitation/create'));
    await assert_answered(workspace, 'elicitation');
  },

  async by_input_required(owned) {
    const workspace = owned(asking());
    const asked = [];
    const agent = owned(await connect(workspace, { era: 'modern', answer: (params) => {
      asked.push({ params, calls: workspace.calls('post').length });
      return { action: 'accept', content: { decision: 'approve' } };
    } }));
    const outcome = await agent.execute(post);
    assert.deepEqual(outcome.result, posted);
    assert.equal(asked.length, 1);
    assert.equal(asked[0].calls, 0);
    assert.deepEqual(numbers(workspace), [1]);
    // As an answer to the call, not as a request from the server.
    assert(agent.wire.some((entry) => entry.from === 'server' && entry.message.result?.resultType === 'input_required'));
    assert(!agent.wire.some((entry) => entry.from === 'server' && entry.message.method === 'elicitation/create'));
    await assert_answered(workspace, 'elicitation');
  },

  // Two questions in one run, over HTTP, where each round is a separate request.
  async by_input_required_over_http_twice(owned) {
    const workspace = owned(asking());
    const http = await workspace.serve_http();
    let asked = 0;
    const agent = owned(await connect(workspace, { era: 'modern', http, answer: () => (++asked, { action: 'accept', content: { decision: 'approve' } }) }));
    const outcome = await agent.execute('const a = await mcp.ledger.post({ n: 1 }); const b = await mcp.ledger.post({ n: a.posted.n + 1 }); return [a, b]');
    assert.deepEqual(outcome.result, [{ posted: { n: 1 } }, { posted: { n: 2 } }]);
    assert.equal(asked, 2);
    assert.deepEqual(numbers(workspace), [1, 2]);
  },

  async by_continue_run(owned) {
    const workspace = owned(asking());
    for (const era of ['legacy', 'modern']) {
      const before = numbers(workspace).length;
      const agent = owned(await connect(workspace, { era }));
      // The program's other possible calls are analysed while calls are batched; the approval request does not wait for
      // that.
      const waits = await eventually(async () => {
        const said = await agent.execute(post);
        assert.equal(said.status, 'approval_required');
        if (said.context.plan) return said;
        await agent.call('cancel_run', { run_id: said.run_id });
      }, 'a card with its plan');
      assert.equal(waits.approval_type, 'tool_call');
      assert.equal(waits.workflow_id, waits.run_id);
      assert.match(waits.description, /ledger\.post/);
      assert.deepEqual(waits.context.calls[0].arguments, { n: 1 });
      assert.equal(waits.context.code, post);
      assert.deepEqual(waits.context.plan.tools.map((tool) => `${tool.server}.${tool.tool}`), ['ledger.post']);
      assert(waits.options.includes('once') && waits.options.includes('deny'));
      assert.equal(numbers(workspace).length, before);
      assert.equal((await agent.call('get_run', { run_id: waits.run_id })).structuredContent.status, 'approval_required');
      const outcome = (await agent.call('continue_run', { run_id: waits.run_id, approval_id: waits.approval_id, approved: true })).structuredContent;
      assert.deepEqual(outcome.result, posted);
      assert.equal(numbers(workspace).length, before + 1);
      // Answered twice, done once.
      await agent.call('continue_run', { run_id: waits.run_id, approval_id: waits.approval_id, approved: true });
      assert.equal(numbers(workspace).length, before + 1);
    }
    await assert_answered(workspace, 'continue_run');
  },

  // The model claims that the person agreed; if the person can be asked, they are.
  async the_model_cannot_approve_for_a_person_who_can_be_asked(owned) {
    const workspace = owned(asking());
    let action = 'cancel';
    let asked = 0;
    const agent = owned(await connect(workspace, { answer: () => (++asked, action === 'cancel' ? { action } : { action, content: { decision: 'deny' } }) }));
    const waits = await agent.execute(post);
    assert.equal(waits.status, 'approval_required', 'closing the form decides nothing');
    action = 'accept';
    const outcome = (await agent.call('continue_run', { run_id: waits.run_id, approval_id: waits.approval_id, approved: true })).structuredContent;
    assert.equal(asked, 2);
    assert.equal(outcome.error.code, 'APPROVAL_DENIED');
    assert.deepEqual(numbers(workspace), []);
  },

  async from_another_process(owned) {
    const workspace = owned(asking());
    const agent = owned(await connect(workspace));
    const waits = await agent.execute(post);
    const [approval] = await workspace.waiting();
    assert.equal(approval.run, waits.run_id);
    assert.deepEqual(numbers(workspace), []);
    const said = await workspace.json('approvals', 'approve', approval.id);
    assert.equal(said.gatewayRuns, true);
    await eventually(async () => (await workspace.run_record(waits.run_id)).status === 'finished', 'it goes on by itself');
    assert.deepEqual(numbers(workspace), [1]);
    assert.deepEqual((await agent.call('get_run', { run_id: waits.run_id })).structuredContent.result, posted);
    await assert_answered(workspace, 'cli');
  },

  // While the form of the agent's own client is still open.
  async from_another_process_while_a_form_is_open(owned) {
    const workspace = owned(asking());
    let close_form;
    const agent = owned(await connect(workspace, { answer: () => new Promise((done) => { close_form = () => done({ action: 'accept', content: { decision: 'deny' } }); }) }));
    const running = agent.execute(post);
    const [approval] = await workspace.waiting();
    await eventually(() => close_form, 'the form');
    await workspace.json('approvals', 'approve', approval.id);
    assert.deepEqual((await running).result, posted);
    close_form();
    assert.equal((await agent.execute('return 1')).result, 1);
    assert.deepEqual(numbers(workspace), [1]);
  },

  async by_http(owned) {
    const workspace = owned(asking());
    const http = await workspace.serve_http();
    const agent = owned(await connect(workspace, { http }));
    const waits = await agent.execute(post);
    const approver = await workspace.token('approver');
    const at = (path, options = {}, token = approver) => fetch(new URL(path, http.url), { ...options, headers: { 'Content-Type': 'application/json', ...token ? { Authorization: `Bearer ${token}` } : {}, ...options.headers } });
    const { approvals } = await (await at('/api/v1/workspaces/1/approvals')).json();
    assert.deepEqual(approvals.map(({ run }) => run), [waits.run_id]);
    const path = `/api/v1/workspaces/1/approvals/${approvals[0].id}`;
    const body = JSON.stringify({ decision: 'approve', digest: approvals[0].digest });
    assert.equal((await at(path, { method: 'POST', body }, null)).status, 401);
    assert.equal((await at(path, { method: 'POST', body }, `${approver}x`)).status, 401);
    assert.equal((await at(path, { method: 'POST', body }, http.token)).status, 403, 'the agent has no say');
    assert.equal((await at(path, {}, http.token)).status, 403);
    assert.equal((await at(path, { method: 'POST', body: '{"decision":"maybe"}' })).status, 400);
    assert.equal((await at('/api/v1/workspaces/1/approvals/none', { method: 'POST', body })).status, 404);
    assert.equal((await at(path, { method: 'POST', body, headers: { 'Content-Type': 'text/plain' } })).status, 415);
    assert.deepEqual(numbers(workspace), [], 'none of that was a yes');
    assert.equal((await (await at(path)).json()).state, 'pending');
    assert.equal((await at(path, { method: 'POST', body })).status, 200);
    await eventually(async () => (await workspace.run_record(waits.run_id)).status === 'finished', 'it goes on');
    assert.deepEqual(numbers(workspace), [1]);
    assert.equal((await at(path, { method: 'POST', body })).status, 409);
    await assert_answered(workspace, 'http');
  },

  async tells_the_owners_program_and_address(owned) {
    const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
    const posts = [];
    // The first attempt fails.
    const hook = createServer((request, reply) => {
      let body = '';
      request.on('data', (data) => { body += data; }).on('end', () => {
        posts.push({ headers: request.headers, body });
        reply.writeHead(posts.length === 1 ? 503 : 204).end();
      });
    });
    await new Promise((done) => hook.listen(0, '127.0.0.1', done));
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:post'] }, notify: {
      command: ['/bin/sh', '-c', 'cat >> "$HOME/told.jsonl"; echo >> "$HOME/told.jsonl"; exit 3'],
      webhook: `http://127.0.0.1:${hook.address().port}/glovebox`, secret,
    } }));
    owned({ close: () => hook.close() });
    const http = await workspace.serve_http();
    const agent = owned(await connect(workspace, { http }));
    const waits = await agent.execute('return await mcp.ledger.post({ n: 1, to: "ann@example.com" })', { intent: 'write to ann@example.com' });
    await eventually(() => posts.length === 2 && existsSync(join(workspace.folder, 'told.jsonl')), 'both are told');
    const [{ headers, body }] = posts.slice(-1);
    assert.equal(headers['webhook-id'], waits.context.id);
    assert.equal(posts[0].headers['webhook-id'], headers['webhook-id'], 'the same for each attempt');
    const key = Buffer.from(secret.slice(6), 'base64');
    const mac = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${mac}`);
    const notice = JSON.parse(body);
    assert.equal(notice.type, 'approval.asked');
    assert.deepEqual({ tools: notice.data.tools, run: notice.data.run, calls: notice.data.calls }, { tools: ['ledger:post'], run: waits.run_id, calls: 1 });
    assert(!body.includes('ann@example.com') && !body.includes('write to'), body);
    await eventually(() => http.err.includes('notify.command: the program ended with exit code 3'), 'the owner learns that it failed');
    assert.equal(JSON.parse(readFileSync(join(workspace.folder, 'told.jsonl'), 'utf8').split('\n')[0]).data.approval, waits.context.id);
  },

  async on_the_terminal(owned) {
    const workspace = owned(asking());
    const answer = async (key, result) => {
      const line = `${program} exec -e '${post}' --config ${workspace.config_file}`;
      const terminal = workspace.start('/usr/bin/script', ['-qec', line, '/dev/null'], { stdio: ['pipe', 'pipe', 'pipe'] });
      await eventually(() => /Allow\?.*> $/.test(terminal.out), 'the question');
      assert.match(terminal.out, /ledger\.post/);
      terminal.stdin.write('what?\n');
      await eventually(() => terminal.out.match(/Allow\?/g).length === 2, 'the question again');
      terminal.stdin.write(`${key}\n`);
      const ended = await terminal.ended;
      assert.match(ended.out, result);
      return ended.code;
    };
    assert.notEqual(await answer('n', /denied/), 0);
    assert.deepEqual(numbers(workspace), []);
    assert.equal(await answer('y', /"posted"/), 0);
    assert.deepEqual(numbers(workspace), [1]);
    await assert_answered(workspace, 'terminal');
  },

  async exec_without_a_terminal_leaves_the_run_waiting(owned) {
    const workspace = owned(asking());
    const child = workspace.start('/usr/bin/setsid', ['-w', program, 'exec', '-e', post, '--config', workspace.config_file, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = await child.ended;
    assert.equal(ended.code, 6, ended.err);
    assert.equal(JSON.parse(ended.out).status, 'approval_required');
    const [approval] = await workspace.waiting();
    assert.deepEqual(numbers(workspace), []);
    await workspace.json('approvals', 'approve', approval.id);
    // A call in parallel is not interrupted, and is not made again.
    const both = 'return (await Promise.all([mcp.ledger.slow({ ms: 500 }), mcp.ledger.post({ n: 7 })]))[0]';
    const beside = await workspace.start('/usr/bin/setsid', ['-w', program, 'exec', '-e', both, '--config', workspace.config_file], { stdio: ['ignore', 'pipe', 'pipe'] }).ended;
    assert.equal(beside.code, 6, beside.err);
    assert(workspace.ledger().some((entry) => entry.tool === 'slow' && entry.state === 'ended'));
    const [, run] = /runs resume (run_\w+)/.exec(beside.err);
    assert.equal((await workspace.at_terminal('runs', 'resume', run)).out, '"slept"\n');
    assert.equal(workspace.calls('slow').length, 1);
    assert.deepEqual(numbers(workspace), [7]);
    const agent = owned(await connect(workspace));
    await eventually(async () => (await workspace.run_record(approval.run)).status === 'finished', 'the next gateway takes it up');
    assert.deepEqual(numbers(workspace), [7, 1]);
    assert(agent.pid);
  },

  async for_this_run(owned) {
    const workspace = owned(asking());
    let asked = 0;
    const agent = owned(await connect(workspace, { answer: () => (++asked, { action: 'accept', content: { decision: 'approve', scope: 'run' } }) }));
    const code = 'for (let i = 0; i < 3; ++i) await mcp.ledger.post({ n: 1 })';
    await agent.execute(code);
    assert.equal(asked, 1);
    await agent.execute(code);
    assert.equal(asked, 2, 'another run is asked about anew');
    await agent.execute('for (let n = 0; n < 3; ++n) await mcp.ledger.post({ n })');
    assert.equal(asked, 5, 'so is every other call');
    assert.deepEqual(numbers(workspace), [1, 1, 1, 1, 1, 1, 0, 1, 2]);
  },

  async for_this_session(owned) {
    const workspace = owned(asking());
    let asked = 0;
    const answer = () => (++asked, { action: 'accept', content: { decision: 'approve', scope: 'session' } });
    const agent = await connect(workspace, { answer });
    for (const n of [1, 1]) await agent.execute(`await mcp.ledger.post({ n: ${n} })`);
    assert.equal(asked, 1);
    await agent.close();
    const next = owned(await connect(workspace, { answer }));
    await next.execute('await mcp.ledger.post({ n: 1 })');
    assert.equal(asked, 2, 'the session is over');
    assert.deepEqual(numbers(workspace), [1, 1, 1]);
  },

  async always_is_written_to_the_config(owned) {
    const workspace = owned(asking());
    const data = join(workspace.folder, 'data');
    workspace.write_config(`// ours\n{\n  "mcpServers": ${JSON.stringify(workspace.config.mcpServers)}, // the servers\n` +
      `  "permissions": {\n    /* what is fine */ "allow": [\n      "ledger:read", // harmless\n    ],\n  },\n}\n`);
    let asked = 0;
    const answer = () => (++asked, { action: 'accept', content: { decision: 'approve', scope: 'always' } });
    const agent = await connect(workspace, { answer });
    const write = (path) => `await mcp.ledger.post({ path: ${JSON.stringify(path)} })`;
    await agent.execute(write(join(data, 'a')));
    const text = await eventually(() => /ledger:post/.test(workspace.read_config()) && workspace.read_config(), 'the rule');
    assert.match(text, /"ledger:post\(only path=\.\/data\/\*\*\)"/);
    for (const comment of ['// ours\n', '// the servers\n', '/* what is fine */', '// harmless\n']) assert(text.includes(comment), text);
    assert.equal((await workspace.start(program, ['config', 'validate', workspace.config_file]).ended).code, 0);
    await agent.close();
    // The next gateway knows the rule, and no more than that.
    const next = owned(await connect(workspace, { answer }));
    await next.execute(write(join(data, 'b')));
    assert.equal(asked, 1);
    await next.execute(write(join(workspace.folder, 'c')));
    assert.equal(asked, 2, 'elsewhere is another question');
  },

  async calls_of_a_loop_are_one_question(owned) {
    const workspace = owned(asking());
    let asked = [];
    const agent = owned(await connect(workspace, { answer: (params) => (asked.push(params.message), { action: 'accept', content: { decision: 'approve' } }) }));
    let before;
    // They are batched for a short time, which may pass between two of them on a busy machine.
    await eventually(async () => {
      [asked, before] = [[], numbers(workspace).length];
      await agent.execute(`await Promise.all(Array.from({ length: 12 }, (_, n) => mcp.ledger.post({ n, path: './data/' + n })))`);
      return asked.length === 1;
    }, 'one question');
    assert.match(asked[0], /\nIn all: post × 12, all under \.\/data$/);
    assert.deepEqual(numbers(workspace).slice(before).sort((a, b) => a - b), Array.from({ length: 12 }, (_, n) => n));
  },

  async some_calls_of_a_question(owned) {
    const workspace = owned(asking());
    const agent = owned(await connect(workspace));
    const waits = await agent.asks_about(3, `
      const settled = await Promise.allSettled([1, 2, 3].map((n) => mcp.ledger.post({ n })));
      return settled.map((one) => one.status === 'fulfilled' ? one.value.posted.n : one.reason.name)`);
    const number_of = (n) => String(waits.context.calls.find((call) => call.arguments.n === n).call);
    await workspace.json('approvals', 'approve', waits.context.id, '--call', number_of(2));
    await eventually(() => numbers(workspace).length === 1, 'the approved one is made at once');
    await eventually(async () => (await workspace.run_record(waits.run_id)).status === 'waiting', 'it waits for the others');
    await workspace.json('approvals', 'deny', waits.context.id, '--call', number_of(1));
    await workspace.json('approvals', 'approve', waits.context.id, '--call', number_of(3));
    const run = await eventually(async () => {
      const record = await workspace.run_record(waits.run_id);
      return record.status === 'finished' && record;
    }, 'all are answered');
    assert.deepEqual(run.outcome.result, ['ApprovalDenied', 2, 3]);
    assert.deepEqual(numbers(workspace), [2, 3]);
  },

  async a_no_with_its_reason(owned) {
    const workspace = owned(asking());
    const code = `try { await mcp.ledger.post({ n: 1 }) } catch (error) { return [error.name, error instanceof ApprovalDenied, error.toolName, error.message] }`;
    const agent = owned(await connect(workspace, { answer: () => ({ action: 'accept', content: { decision: 'deny', reason: 'not on Sundays' } }) }));
    const caught = await agent.execute(code);
    assert.deepEqual(caught.result.slice(0, 3), ['ApprovalDenied', true, 'ledger.post']);
    assert.match(caught.result[3], /not on Sundays/);
    const uncaught = await agent.execute(post);
    assert.equal(uncaught.error.code, 'APPROVAL_DENIED');
    const declining = owned(await connect(workspace, { answer: () => ({ action: 'decline' }) }));
    assert.equal((await declining.execute(code)).result[0], 'ApprovalDenied');
    // An answer that is neither does not count as a yes.
    const odd = owned(await connect(workspace, { answer: () => ({ action: 'accept', content: { decision: 'approve ' } }) }));
    const said = await odd.execute(post, {}, { timeout: 5000 }).catch((error) => error);
    assert(!said.result, JSON.stringify(said));
    assert.deepEqual(numbers(workspace), []);
  },

  // One person's form is open; nothing else waits for them.
  async others_go_on_while_one_waits(owned) {
    const workspace = owned(asking({ sandbox: { timeoutMs: 15_000 } }));
    let answer_it;
    const agent = owned(await connect(workspace, { answer: () => new Promise((done) => { answer_it = () => done({ action: 'accept', content: { decision: 'approve' } }); }) }));
    // The server starts now, so that its start does not count against the time of the run below.
    await eventually(async () => !(await agent.execute('await mcp.ledger.fail({}).catch(() => {})')).error, 'the server is there');
    const running = agent.execute(`
      const [asked, other] = await Promise.all([mcp.ledger.post({ n: 1 }), mcp.ledger.read({ n: 2 })]);
      return [asked.posted.n, other]`);
    await eventually(() => answer_it, 'the question');
    await eventually(() => workspace.calls('read').length === 1, 'its sibling is made');
    assert.equal((await agent.execute('return await mcp.ledger.read({ n: 3 })')).result, 'read 3');
    // Longer than the run may take: that clock is stopped.
    await new Promise((done) => setTimeout(done, 16_000));
    answer_it();
    assert.deepEqual((await running).result, [1, 'read 2']);
    assert.equal(workspace.calls('read').length, 2, 'nothing is done twice');
  },
});
