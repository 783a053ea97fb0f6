// Which private data an agent sees: every message that reaches it is searched for the values.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace } from './workspace.mjs';

const values = {
  mail: 'bob.miller@example.com',
  card: '4111111111111111',
  iban: 'GB82WEST12345698765432',
  key: 'ghp_0123456789abcdefghijABCDEFGHIJ012345',
};
// Values come from a server, as in practice: the agent's own code does not contain them.
const read = `const it = (await mcp.ledger.post(context)).posted;`;
const split = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [...value]]));
const joined = `const v = Object.fromEntries(Object.entries(it).map(([name, parts]) => [name, parts.join('')]));`;

function assert_silent(agent, what = values) {
  const said = agent.wire.filter((entry) => entry.from === 'server').map((entry) => JSON.stringify(entry.message)).join('\n');
  for (const value of Object.values(what)) assert(!said.includes(value), `${value} is in ${said.slice(0, 4000)}`);
  return said;
}

await run_cases({
  async no_value_reaches_the_agent(owned) {
    const workspace = owned(new Workspace());
    // The second gateway of a workspace has other numbers than the first.
    for (const [era, begin] of [['legacy', 0], ['modern', 100]]) {
      const token = (kind, number) => `<${kind}_${begin + number}>`;
      const agent = owned(await connect(workspace, { era }));
      if (era === 'legacy') await agent.client.setLoggingLevel('debug');
      const outcome = await agent.execute(`${read} ${joined}
        console.log('mail', v.mail); console.log(v.card, v.key);
        await mcp.ledger.read({ n: v.mail });
        return { [v.mail]: { card: Number(v.card), text: \`to \${v.iban}\` }, encoded: [encodeURIComponent(v.mail), btoa('mail ' + v.mail)],
                 same: v.mail.length }`, { context: split }, { onprogress() {} });
      assert.deepEqual(outcome.result, { [token('EMAIL', 1)]: { card: token('CARD', 1), text: `to ${token('IBAN', 1)}` },
        encoded: [token('EMAIL', 1), token('EMAIL', 2)], same: values.mail.length });
      assert.deepEqual(outcome.logs, [`mail ${token('EMAIL', 1)}`, `${token('CARD', 1)} <SECRET:github>`]);
      const failed = await agent.execute(`${read} ${joined} throw new Error('cannot reach ' + v.mail)`, { context: split });
      assert(failed.error.message.includes(`cannot reach ${token('EMAIL', 1)}`), failed.error.message);
      const said = assert_silent(agent);
      assert(!said.includes(encodeURIComponent(values.mail)) && !said.includes(btoa('mail ' + values.mail)));
      // The server got the real value.
      assert(workspace.calls('read').some((call) => call.args.n === values.mail));
      const again = await agent.call('get_run', { run_id: outcome.run_id });
      assert.deepEqual(again.structuredContent.logs, outcome.logs);
      assert_silent(agent);
      await agent.close();
    }
    const log = readFileSync(join(workspace.state, 'audit.log'), 'utf8');
    for (const value of Object.values(values)) assert(!log.includes(value), value);
  },

  async tokens_go_back_to_tools_that_may_have_values(owned) {
    const workspace = owned(new Workspace({ privacy: { restore: ['ledger:post'] } }));
    const agent = owned(await connect(workspace));
    const first = await agent.execute(`${read} ${joined} return v.mail`, { context: split });
    assert.equal(first.result, '<EMAIL_1>');
    const second = await agent.execute(
      `await mcp.ledger.read({ n: '<EMAIL_1>' }); return await mcp.ledger.post({ to: 'Bob <EMAIL_1>', key: '<SECRET:github>' })`);
    assert.deepEqual(second.result, { posted: { to: 'Bob <EMAIL_1>', key: '<SECRET:github>' } });
    assert.equal(workspace.calls('read').at(-1).args.n, '<EMAIL_1>');
    assert.equal(workspace.calls('post').at(-1).args.to, `Bob ${values.mail}`);
    assert_silent(agent);
  },

  async each_conversation_has_its_own_tokens(owned) {
    const workspace = owned(new Workspace({ privacy: { restore: ['ledger:post'] } }));
    const http = await workspace.serve_http();
    const [ann, ben] = [owned(await connect(workspace, { http })), owned(await connect(workspace, { http }))];
    const tell = (agent) => agent.execute(`${read} ${joined} return v.mail`, { context: split });
    const send = async (agent, token) => (await agent.execute(`await mcp.ledger.post({ to: '${token}' })`), workspace.calls('post').at(-1).args.to);
    assert.equal((await tell(ann)).result, '<EMAIL_1>');
    assert.equal((await tell(ben)).result, '<EMAIL_2>', 'no token is given twice');
    assert.equal(await send(ann, '<EMAIL_1>'), values.mail);
    assert.equal(await send(ben, '<EMAIL_1>'), '<EMAIL_1>');
    assert.equal(await send(ben, '<EMAIL_2>'), values.mail);
    // A workflow belongs to the conversation that began it: the tokens of another are not mistaken for its own.
    const task = (id, args, dependencies = []) => ({ id, type: 'mcp_tool', tool: 'ledger:post', arguments: args, dependencies });
    const { workflow_id, status } = (await ann.call('run_workflow', { workflow: { decisions: 'agent', tasks: [task('a', { n: 1 }), task('b', { to: 'nobody' }, ['a'])] } })).structuredContent;
    assert.equal(status, 'layer_complete');
    const command = (agent, name, more = {}) => agent.call('workflow_command', { workflow_id, command: name, ...more });
    const refused = await command(ben, 'modify_args', { task: 'b', arguments: { to: '<EMAIL_2>' } });
    assert(refused.isError, JSON.stringify(refused));
    assert.match(refused.content[0].text, /another conversation/);
    await command(ann, 'modify_args', { task: 'b', arguments: { to: '<EMAIL_1>' } });
    assert.equal((await command(ann, 'continue')).structuredContent.status, 'finished');
    assert.equal(workspace.calls('post').at(-1).args.to, values.mail);
    // It ends with its session.
    await ann.client.transport.terminateSession();
    const again = owned(await connect(workspace, { http }));
    assert.equal(await send(again, '<EMAIL_1>'), '<EMAIL_1>');
    assert_silent(ben);
  },

  async modes(owned) {
    const workspace = owned(new Workspace({ privacy: { mode: 'block' } }));
    const agent = owned(await connect(workspace));
    const blocked = await agent.call('execute_code', { code: `${read} ${joined} return [v.mail, v.key]`, context: split });
    assert(blocked.isError);
    assert.equal(blocked.structuredContent.error.code, 'PRIVACY_BLOCKED');
    assert_silent(agent);
    assert.equal((await agent.execute('return 1 + 1')).result, 2);
    await agent.close();
    workspace.config.privacy = { mode: 'detect', entities: ['EMAIL_ADDRESS'] };
    workspace.write_config();
    const seen = owned(await connect(workspace));
    const reply = await seen.call('execute_code', { code: `${read} ${joined} return [v.mail, v.key, v.iban]`, context: split });
    assert.deepEqual(reply.structuredContent.result, [values.mail, '<SECRET:github>', values.iban]);
    assert(reply._meta['glovebox/privacy'].found.EMAIL_ADDRESS > 0);
  },

  async off_is_said(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace, { args: ['--no-pii-protection'] }));
    const reply = await agent.call('execute_code', { code: `${read} ${joined} return v`, context: split });
    assert.deepEqual(reply.structuredContent.result, values);
    assert.equal(reply._meta['glovebox/privacy'].mode, 'off');
    assert.equal(reply._meta['glovebox/privacy'].mode, 'off');
    // exec prints what the code returns, unless a flag says otherwise.
    const code = 'return ["bob", "example.com"].join("@")';
    const plain = await workspace.start(join(process.env.GLOVEBOX_BIN, 'glovebox'), ['exec', '-e', code, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] }).ended;
    assert.equal(JSON.parse(plain.out).result, 'bob@example.com');
    const filtered = await workspace.start(join(process.env.GLOVEBOX_BIN, 'glovebox'), ['exec', '-e', code, '--privacy', '--json'], { stdio: ['ignore', 'pipe', 'pipe'] }).ended;
    assert.equal(JSON.parse(filtered.out).result, '<EMAIL_1>', filtered.err);
  },

  async questions_and_waiting_runs_hold_tokens(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['ledger:post'], ask: ['ledger:read'] } }));
    const code = `${read} ${joined} return await mcp.ledger.read({ n: v.mail })`;
    const agent = owned(await connect(workspace));
    const waiting = await agent.call('execute_code', { code, context: split });
    assert.equal(waiting.structuredContent.status, 'approval_required');
    assert.match(waiting.content[0].text, /<EMAIL_1>/);
    assert_silent(agent);
    // The lines of an approval request have a maximum length; a value that would be broken there is replaced by a token
    // before.
    for (let fill = 40; fill < 80; fill += 5) {
      const long = await agent.call('execute_code', { code: `${read} ${joined} return await mcp.ledger.read({ n: 'x'.repeat(${fill}) + ' ' + v.mail })`, context: split });
      assert(!long.content[0].text.replaceAll('\n  > ', '').includes(values.mail), long.content[0].text);
      await agent.call('cancel_run', { run_id: long.structuredContent.run_id });
    }
    // The person who decides sees the value.
    const [approval] = await workspace.waiting();
    const shown = await workspace.run('approvals', 'show', approval.id);
    assert(shown.out.includes(values.mail), shown.out + shown.err);
    await agent.close();
    const questions = [];
    const asked = owned(await connect(workspace, { answer: (params) => (questions.push(params), { action: 'accept', content: { decision: 'approve' } }) }));
    assert.match((await asked.execute(code, { context: split })).result, /^read <EMAIL_\d+>$/);
    assert.equal(questions.length, 1);
    assert_silent(asked);
  },

  async workflows_and_their_events(owned) {
    const workspace = owned(new Workspace({ privacy: { restore: ['ledger:post'] } }));
    const http = await workspace.serve_http();
    const agent = owned(await connect(workspace, { http }));
    const task = (id, tool, args, dependencies = []) => ({ id, type: 'mcp_tool', tool: `ledger:${tool}`, arguments: args, dependencies });
    const reply = await agent.call('run_workflow', { workflow: { tasks: [
      task('read', 'post', split),
      { id: 'join', type: 'code_execution', code: `const it = deps.read.output.posted; ${joined} console.log(v.mail); return v`, dependencies: ['read'] },
      task('post', 'post', { to: '$OUTPUT[join].mail', card: '$OUTPUT[join].card' }, ['join']),
    ] } }, { onprogress() {} });
    const { outcome, status, workflow_id } = reply.structuredContent;
    assert.equal(status, 'finished', JSON.stringify(reply));
    assert.deepEqual(outcome.outputs, { post: { posted: { to: '<EMAIL_1>', card: '<CARD_1>' } } });
    assert.equal(workspace.calls('post').at(-1).args.to, values.mail, 'one task gives the next the real thing');
    // A token in a plan is replaced by its value where that is allowed.
    await agent.call('run_workflow', { workflow: { tasks: [task('again', 'post', { to: '<EMAIL_1>' }), task('other', 'read', { n: '<EMAIL_1>' })] } });
    assert.equal(workspace.calls('post').at(-1).args.to, values.mail);
    assert.equal(workspace.calls('read').at(-1).args.n, '<EMAIL_1>');
    assert_silent(agent);
    const root = new URL(http.url).origin;
    const headers = { Authorization: `Bearer ${http.token}` };
    let said = '';
    const reader = (await fetch(`${root}/workflows/${workflow_id}/events`, { headers })).body.pipeThrough(new TextDecoderStream()).getReader();
    while (!said.includes('"type":"workflow_complete"')) {
      const { value, done } = await reader.read();
      if (done) break;
      said += value;
    }
    await reader.cancel();
    said += await (await fetch(`${root}/workflows/${workflow_id}`, { headers })).text();
    assert.match(said, /<EMAIL_\d+>/);
    for (const value of Object.values(values)) assert(!said.includes(value), `${value} is in ${said}`);
  },

  async a_large_result(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    const outcome = await agent.execute(`${read} ${joined}
      return Array.from({ length: 20000 }, (_, i) => ({ i, mail: v.mail, text: 'row ' + i + ' of many rows without anything', other: 'u' + i + '@example.com' }))`,
    { context: split, result_bytes: 100_000_000 });
    assert.equal(outcome.result.length, 20000);
    assert.equal(new Set(outcome.result.map((row) => row.mail)).size, 1);
    assert.equal(new Set(outcome.result.map((row) => row.other)).size, 20000);
    assert_silent(agent);
  },
});
