// Code is checked before it runs: what is refused, what is reported, and what happens when there is no checker.
import assert from 'node:assert/strict';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run_cases } from './cases.mjs';
import { connect, whole } from './clients.mjs';
import { tasks } from './mistakes.mjs';
import { Workspace, descendants, eventually, is_alive, is_checked, read_lines, repeated, stop } from './workspace.mjs';

const here = dirname(fileURLToPath(import.meta.url));

class Shop extends Workspace {
  constructor(others = {}) {
    super({ permissions: { allow: ['shop', 'ledger'] }, ...others });
    this.config.mcpServers.shop = { command: process.execPath, args: [join(here, 'shop.mjs')], env: { LEDGER: this.ledger_file } };
    this.write_config();
  }
}
const checkers = (pid) => descendants(pid).filter((one) => one.command.startsWith('/lib/tsc')).map((one) => one.pid);
const generators = (pid) => descendants(pid).filter((one) => one.command.startsWith('glovebox-types')).map((one) => one.pid);
const audited = (workspace, event) => read_lines(join(workspace.state, 'audit.log')).filter((entry) => entry.event === event);

// execute_code with a check that has completed, and the calls that were made. On a busy machine a check may not
// complete in its few seconds, nor a server list its tools in fifteen: then the run begins unchecked, as it should, and
// another one is tried.
async function checked(workspace, agent, args) {
  const attempt = async () => {
    const [begin, before] = [Date.now(), workspace.calls().length];
    const said = await agent.call('execute_code', args);
    return { said: { ...said, calls: workspace.calls().slice(before) }, took: Date.now() - begin };
  };
  const in_time = ({ said, took }) => {
    const { error, diagnostics = [] } = whole(said);
    return error?.code === 'TYPE_CHECK_FAILED' || (is_checked(JSON.stringify(diagnostics)) && took < 15_000);
  };
  return (await repeated(attempt, in_time)).said;
}
const error_code = async (workspace, agent, code) => (await checked(workspace, agent, { code })).structuredContent.error?.code;

await run_cases({
  // The benchmark of what the check is for. The very first program finds a server that has never been started.
  async twenty_mistakes_cost_no_call(owned) {
    assert.equal(tasks.length, 20);
    const workspace = owned(new Shop());
    const agent = owned(await connect(workspace));
    const missed = [];
    for (const task of tasks) {
      const { calls, ...said } = await checked(workspace, agent, { code: task.before + task.wrong });
      const [{ error, diagnostics = [] }, { isError }] = [whole(said), said];
      assert.deepEqual(calls, [], task.wrong);
      if (!isError || error?.code !== 'TYPE_CHECK_FAILED') { missed.push(task.wrong); continue; }
      assert.equal(error.type, 'TypeError');
      assert(error.line >= 1 && error.column >= 1);
      // The position is in the agent's own text, and the caret is below it.
      assert.equal((task.before + task.wrong).split('\n')[error.line - 1], error.sourceLine);
      assert.equal(error.caret.indexOf('^') + 1, error.column);
      assert(diagnostics.some((one) => one.severity === 'error' && one.about === 'tools'), task.wrong);
      if (task.suggestion) assert(diagnostics.some((one) => one.suggestion === task.suggestion), JSON.stringify(diagnostics, null, 1));
      assert.match(error.message, /Nothing was executed/);
    }
    assert.deepEqual(missed, []);
    assert.equal(audited(workspace, 'run.checked').filter((entry) => entry.decision === 'stopped').length, 20);
  },

  // Otherwise the other test would pass if everything were refused.
  async the_same_tasks_run_when_they_are_right(owned) {
    const workspace = owned(new Shop());
    const agent = owned(await connect(workspace));
    for (const task of tasks) {
      const said = await checked(workspace, agent, { code: task.before + task.right });
      assert(!said.isError, task.right + '\n' + JSON.stringify(said.structuredContent.error));
      assert.equal(whole(said).diagnostics, undefined);
    }
    assert(workspace.calls().length >= 20);
  },

  async several_mistakes_are_told_at_once(owned) {
    const workspace = owned(new Shop());
    const agent = owned(await connect(workspace));
    const said = await checked(workspace, agent, { code: `await mcp.shop.get_customer({ ident: 1 });\nawait mcp.shop.nothing();\nconst n: number = 'x';` });
    const { error, diagnostics } = whole(said);
    assert.equal(error.code, 'TYPE_CHECK_FAILED');
    assert.deepEqual(diagnostics.map((one) => [one.line, one.severity, one.about]), [[1, 'error', 'tools'], [2, 'error', 'tools'], [3, 'warning', 'code']]);
    assert.match(said.content[0].text, /agent\.ts:1:31[^]*agent\.ts:2:16/);
    assert.match(said.content[0].text, /\n {2}await mcp\.shop\.nothing\(\);\n {17}\^{7}/);
  },

  async modes(owned) {
    const workspace = owned(new Shop());
    const agent = owned(await connect(workspace));
    const wrong = { code: `await mcp.shop.list_customers({}); const n: number = 'x'; return mcp.shop.get_customer({ id: 5 })` };
    const untidy = { code: `await mcp.shop.list_customers({}); const n: number = 'x'; return n` };
    for (const [args, code, warnings] of [
      [{ ...wrong, check: 'off' }, 'INVALID_ARGUMENTS', undefined],
      [{ ...wrong, check: 'warn' }, 'INVALID_ARGUMENTS', 2],
      [{ ...wrong }, 'TYPE_CHECK_FAILED', 2],
      [{ ...wrong, check: 'strict' }, 'TYPE_CHECK_FAILED', 2],
      [{ ...untidy }, undefined, 1],
      [{ ...untidy, check: 'strict' }, 'TYPE_CHECK_FAILED', 1],
      [{ code: 'return 1', language: 'js' }, undefined, undefined],
      [{ code: 'return 1', language: 'js', check: 'strict' }, 'CHECK_UNAVAILABLE', 1],
    ]) {
      const is_checked = args.language !== 'js';
      const said = is_checked ? await checked(workspace, agent, args) : await agent.call('execute_code', args);
      const { error, diagnostics } = whole(said);
      assert.equal(error?.code, code, JSON.stringify(args));
      assert.equal(diagnostics?.length, warnings, JSON.stringify(args));
      if (code === 'TYPE_CHECK_FAILED') assert.deepEqual(said.calls, []);
    }
    // Findings that did not prevent a result are not in the answer; without a result, they may be the reason.
    assert.doesNotMatch((await checked(workspace, agent, untidy)).content[0].text, /TS2322/);
    assert.match((await checked(workspace, agent, { code: `const n: number = 'x'; return null` })).content[0].text, /warnings:[^]*TS2322/);
    // The owner's setting is the default.
    workspace.config.check = 'strict';
    workspace.write_config();
    await eventually(async () => (await checked(workspace, agent, untidy)).structuredContent.error?.code === 'TYPE_CHECK_FAILED', 'the config is read again');
    workspace.config.check = 'sometimes';
    workspace.write_config();
    assert.match((await workspace.run('tools', 'ls')).err, /check[^]*"off", "warn", "tools" or "strict"/);
  },

  async denied_tools_are_refused_by_the_policy_and_not_by_the_check(owned) {
    const workspace = owned(new Shop({ permissions: { allow: ['shop'], deny: ['shop:refund_order'] } }));
    const agent = owned(await connect(workspace));
    const said = await agent.call('execute_code', { code: `return mcp.shop.refund_order({ order_id: 'o1', amount_cents: 1, reason: 'x' })` });
    assert.equal(said.structuredContent.error.type, 'PermissionError');
  },

  async a_dead_checker_is_replaced(owned) {
    const workspace = owned(new Shop());
    const agent = owned(await connect(workspace));
    // Never the same program twice: findings are cached.
    let number = 0;
    const refused = async () => (await agent.call('execute_code', { code: `return mcp.shop.get_customer({}) // ${++number}` })).structuredContent.error?.code;
    assert.equal(await error_code(workspace, agent, 'return mcp.shop.get_customer({})'), 'TYPE_CHECK_FAILED');
    const [first] = checkers(agent.pid);
    assert(first);
    process.kill(first, 'SIGKILL');
    await eventually(() => !is_alive(first), 'it is dead');
    // The run that finds the checker dead runs unchecked, or is checked by the next one.
    await eventually(async () => await refused() === 'TYPE_CHECK_FAILED' && checkers(agent.pid).length === 1, 'another checker');
    assert.notEqual(checkers(agent.pid)[0], first);
  },

  async a_stopped_checker_holds_nobody_up(owned) {
    const workspace = owned(new Shop());
    const agent = owned(await connect(workspace));
    assert.equal(await error_code(workspace, agent, 'return mcp.shop.get_customer({})'), 'TYPE_CHECK_FAILED');
    await stop(checkers(agent.pid)[0]);
    const { result, diagnostics } = await agent.execute('return 2');
    assert.equal(result, 2);
    assert.deepEqual(diagnostics.map((one) => [one.code, one.about, one.severity]), [['CHECK_UNAVAILABLE', 'check', 'warning']]);
    assert.equal(await error_code(workspace, agent, 'return mcp.shop.get_customer({}) // again'), 'TYPE_CHECK_FAILED');
  },

  // Servers' schemas are read by another process. Without it a tool takes anything, and one that is there is used again.
  async a_stopped_type_generator_is_replaced(owned) {
    const workspace = owned(new Shop());
    const agent = owned(await connect(workspace));
    const declared = async (form) => (await agent.call('describe_tools', { tools: ['shop'], form })).structuredContent.declarations;
    // On a busy machine an answer may take too long; then the next one is tried.
    const compact = await eventually(async () => {
      const text = await declared('compact');
      return !/could not be made/.test(text) && text;
    }, 'the types');
    assert.match(compact, /get_customer\(args/);
    // Servers have a generator each.
    for (const generator of await eventually(() => generators(agent.pid).length && generators(agent.pid), 'a generator')) await stop(generator);
    const waiting = declared('full');
    assert((await agent.call('list_runs', {})).structuredContent.runs);
    assert.match(await waiting, /\(args\?: any \/\* its types could not be made \*\/\)/);
    assert.equal(await declared('compact'), compact);
    await eventually(async () => !/could not be made/.test(await declared('full')), 'another generator');
  },

  async a_program_that_was_checked_needs_no_checker(owned) {
    const workspace = owned(new Shop());
    const agent = owned(await connect(workspace));
    const [right, wrong] = [`const n: number = 3; return n`, 'return mcp.shop.get_customer({})'];
    assert.equal(await error_code(workspace, agent, right), undefined);
    assert.equal(await error_code(workspace, agent, wrong), 'TYPE_CHECK_FAILED');
    await stop(checkers(agent.pid)[0]);
    const { result, diagnostics } = await agent.execute(right);
    assert.deepEqual([result, diagnostics], [3, undefined]);
    assert.equal(await error_code(workspace, agent, wrong), 'TYPE_CHECK_FAILED');
    assert.deepEqual(workspace.calls(), []);
  },

  // Instantiations that double with every level.
  async a_type_bomb_is_cut_off_and_the_run_goes_on(owned) {
    const workspace = owned(new Shop());
    const agent = owned(await connect(workspace));
    const bomb = `
      type B<N extends any[]> = N extends [any, ...infer R] ? [...B<R>, ...B<R>] | [B<R>] : [0];
      type L = [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1];
      type E<T> = T extends [infer H, ...infer R] ? { h: E<H>; r: E<R>; both: E<[H, R]>['h'] } : T;
      let x: E<B<L>> = 0 as any; let y: E<B<[1, ...L]>> = x as any; x = y as any; y = x;
      return 'it ran'`;
    const { result, diagnostics } = await agent.execute(bomb);
    assert.equal(result, 'it ran');
    assert(diagnostics.length > 0);
    assert.equal(await error_code(workspace, agent, 'return mcp.shop.get_customer({})'), 'TYPE_CHECK_FAILED');
  },

  async a_run_that_is_taken_up_again_is_not_checked_twice(owned) {
    const workspace = owned(new Shop({ permissions: { ask: ['shop'] } }));
    const first = owned(await connect(workspace));
    const waiting = first.call('execute_code', { code: `const n: number = 'x'; return (await mcp.shop.get_customer({ id: 'c1' })).name` }).catch(() => {});
    const [approval] = await workspace.waiting();
    assert.equal(audited(workspace, 'run.checked').length, 1);
    process.kill(first.pid, 'SIGKILL');
    await waiting;
    await workspace.run('approvals', 'approve', approval.id);
    const second = owned(await connect(workspace));
    const record = await eventually(async () => {
      const found = await workspace.run_record(approval.run);
      return ['finished', 'failed', 'cancelled'].includes(found.status) && found;
    }, 'the run has ended');
    assert.equal(record.outcome.result, 'Ada', JSON.stringify(record));
    assert.equal(audited(workspace, 'run.checked').length, 1);
    assert.deepEqual(checkers(second.pid), []);
  },

  async exec_checks_as_well(owned) {
    const workspace = owned(new Shop());
    const exec = async (...args) => {
      for (;;) {
        const [begin, before] = [Date.now(), workspace.calls().length];
        const child = workspace.start(process.env.GLOVEBOX_BIN + '/glovebox', ['exec', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
        const ended = await child.ended;
        const text = ended.out + ended.err;
        const in_time = !/The code was not checked/.test(text) && Date.now() - begin < 15_000;
        if (in_time || /TYPE_CHECK_FAILED/.test(text)) return { ...ended, calls: workspace.calls().slice(before) };
      }
    };
    const wrong = `await mcp.shop.list_customers({}); return mcp.shop.get_customer({ ident: 'c1' })`;
    const people = await exec('--config', workspace.config_file, '-e', wrong);
    assert.equal(people.code, 1);
    assert.deepEqual(people.calls, []);
    assert.match(people.err, /TYPE_CHECK_FAILED/);
    assert.match(people.err, /agent\.ts:1:\d+ - [^]*'ident' does not exist[^]*\^{5}/);
    const programs = await exec('--config', workspace.config_file, '--json', '-e', wrong);
    assert.deepEqual(programs.calls, []);
    const json = JSON.parse(programs.out);
    assert.equal(json.error.code, 'TYPE_CHECK_FAILED');
    assert.equal(json.error.column, wrong.indexOf('ident') + 1);
    assert.equal((await exec('--check', 'warn', '-e', `const n: number = 'x'; n`)).code, 0);
    assert.equal((await exec('--check', 'strict', '-e', `const n: number = 'x'; return n`)).code, 1);
    assert.equal((await exec('--check', 'sometimes', '-e', '1')).code, 2);
    assert.equal((await exec('-e', `const n: number = 'x'; return n`)).code, 0);
  },
});
