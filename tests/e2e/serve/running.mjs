// Programs and calls of agents through `glovebox serve`: how they run, are refused and end.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace, descendants, eventually, is_alive, pause } from './workspace.mjs';

// Processes of the sandbox: the zygote, running guests, guests that wait for code.
const guests = (pid) => descendants(pid).filter((one) => one.command.startsWith('glovebox-guest')).map((one) => one.pid);

// Waits until as many wait as the sandbox keeps, and that of the last run is gone.
async function settled_guests(pid) {
  let seen = [];
  await eventually(async () => {
    const before = seen;
    seen = guests(pid);
    await pause(300);
    return seen.length > 1 && String(seen) === String(before);
  }, 'the sandbox is warm');
}

await run_cases({
  async tools_of_real_servers_in_one_program(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['*'] } }));
    const data = join(workspace.folder, 'data');
    Object.assign(workspace.config.mcpServers, {
      every: workspace.npm_server('server-everything', ['stdio']),
      files: workspace.npm_server('server-filesystem', [data]),
      memory: workspace.npm_server('server-memory', [], { MEMORY_FILE_PATH: join(workspace.folder, 'memory.jsonl') }),
    });
    workspace.write_config();
    for (const era of ['legacy', 'modern']) {
      const agent = owned(await connect(workspace, { era }));
      await eventually(async () => /write_file/.test(JSON.stringify((await agent.call('search_tools', { intent: 'write file' })).structuredContent)), 'it is found');
      const described = await agent.call('describe_tools', { tools: ['files.write_file'] });
      const { declarations } = described.structuredContent;
      assert.match(declarations, /write_file\(args: \{ path: string; content: string \}\): Promise<\{ content: string \}>;/);
      assert.equal(described.content[0].text, declarations);
      const several = await agent.call('describe_tools', { tools: ['every.get-s*', 'files.nothing', 'none.x'] });
      assert.match(several.structuredContent.declarations, /getSum: \$every\["get-sum"\];/);
      assert.deepEqual(several.structuredContent.tools.map(({ call, error }) => call ?? typeof error),
        ['mcp.every.getStructuredContent', 'mcp.every.getSum', 'string', 'string']);
      const wrong = await agent.execute('return await mcp.files.read_text_file(JSON.parse(\'{"pth":1}\')).catch(({ code, message }) => [code, message])');
      assert.deepEqual(wrong.result ?? wrong, ['INVALID_ARGUMENTS', 'files.read_text_file does not take these arguments: must have the property "path"']);
      const outcome = await agent.execute(`
        const path = ${JSON.stringify(join(data, `${era}.txt`))};
        const [sum, weather] = await Promise.all([
          mcp.every['get-sum']({ a: 2, b: 3 }), mcp.every.getStructuredContent({ location: 'Chicago' })]);
        await mcp.files.write_file({ path, content: sum + '\\n' });
        const { content } = await files.readTextFile({ path });
        await mcp.memory.create_entities({ entities: [{ name: '${era}', entityType: 'sum', observations: [content] }] });
        const graph = await mcp.memory.search_nodes({ query: '${era}' });
        return { content, seen: graph.entities[0].observations, weather: typeof weather.temperature };`);
      assert.equal(outcome.error, undefined, JSON.stringify(outcome.error));
      assert.deepEqual(outcome.result, { content: 'The sum of 2 and 3 is 5.\n', seen: ['The sum of 2 and 3 is 5.\n'], weather: 'number' });
      assert.equal(readFileSync(join(data, `${era}.txt`), 'utf8'), 'The sum of 2 and 3 is 5.\n');
    }
  },

  async calls_of_one_program_run_at_once(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    // None of them ends before all are there.
    const outcome = await agent.execute('return (await Promise.all([1, 2, 3, 4, 5].map((n) => mcp.ledger.together({ n, count: 5 })))).length');
    assert.equal(outcome.result, 5, JSON.stringify(outcome.error));
    assert.deepEqual(workspace.ledger().map((entry) => entry.state), [...Array(5).fill('called'), ...Array(5).fill('ended')]);
  },

  // A single call without a program is handled the same way: rules, approval, record.
  async one_call_without_a_program(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['ledger'], ask: ['ledger:read'], deny: ['ledger:die', 'ledger:post(n=13)'] } }));
    for (const era of ['legacy', 'modern']) {
      const agent = owned(await connect(workspace, { era }));
      const call = (tool, args) => agent.call('call_tool', { tool, arguments: args });
      const before = workspace.calls().length;
      for (const name of ['ledger.post', 'ledger:post', 'mcp.ledger.post']) assert.deepEqual((await call(name, { n: 1 })).structuredContent.result, { posted: { n: 1 } });
      assert.equal((await call('ledger.commits', { n: 2 })).content[0].text, '[{"sha":"0","author":"ada"},{"sha":"1","author":"bob"}]');
      const failed = await call('ledger.fail');
      assert.equal(failed.content[0].text, 'ToolError (TOOL_ERROR): MCPToolError: the ledger is closed');
      assert.deepEqual(Object.keys(failed.structuredContent.error), ['type', 'code', 'message', 'toolName']);
      for (const [tool, args] of [['ledger.die', {}], ['ledger.post', { n: 13 }]]) assert.equal((await call(tool, args)).structuredContent.error.code, 'PERMISSION_DENIED');
      const waits = (await call('ledger.read', { n: 7 })).structuredContent;
      assert.equal(waits.status, 'approval_required');
      assert.match(waits.card, /"n": 7/);
      const { run_id, approval_id } = waits;
      assert.equal((await agent.call('continue_run', { run_id, approval_id, approved: true })).structuredContent.result, 'read 7');
      assert.deepEqual(workspace.calls().slice(before).map((one) => one.tool), ['post', 'post', 'post', 'commits', 'fail', 'read']);
      for (const wrong of ['', 'ledger', 'ledger.*', '*', 'mcp.ledger', 'nobody.x', 'ledger.nothing', 'ledger"](1);x["post', '](', 'ledger.post(n=1)'])
        assert.equal((await call(wrong, { n: 2 })).isError, true, wrong);
      assert.equal(workspace.calls().slice(before).length, 6);
      assert.equal((await workspace.run_record(run_id)).status, 'finished');
    }
  },

  async denied_calls_never_leave(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['ledger'], deny: ['ledger:post(n=13)', 'ledger:die'] } }));
    const agent = owned(await connect(workspace));
    const caught = await agent.execute(`
      const told = [];
      for (const call of [() => mcp.ledger.die({}), () => mcp.ledger.post({ n: 13 }), () => mcp.ledger.post({ n: 14 })])
        try { await call(); told.push('made') } catch (error) { told.push(error.name) }
      return told`);
    assert.deepEqual(caught.result, ['PermissionDenied', 'PermissionDenied', 'made']);
    assert.deepEqual(workspace.calls().map((call) => [call.tool, call.args.n]), [['post', 14]]);
    const uncaught = await agent.execute('await mcp.ledger.die({})');
    assert.equal(uncaught.error.type, 'PermissionError');
    assert.equal(uncaught.error.code, 'PERMISSION_DENIED');
    // Nor does the agent learn that there is such a tool.
    const found = await eventually(async () => {
      const said = (await agent.call('search_tools', { intent: 'of the ledger', k: 100 })).structuredContent;
      return !said.note && JSON.stringify(said);  // while the model is being loaded, only words count
    }, 'its tools are known');
    assert.match(found, /ledger\.post/);
    assert.doesNotMatch(found, /ledger\.die/);
  },

  async progress_arrives_while_it_runs(owned) {
    const workspace = owned(new Workspace());
    for (const era of ['legacy', 'modern']) {
      const agent = owned(await connect(workspace, { era }));
      const running = agent.execute(
        `console.log('first'); await mcp.ledger.together({ count: 2 }); console.log('second'); await mcp.ledger.together({ count: 2 })`, {},
        { onprogress() {} });
      // It continues once its line has arrived.
      for (const message of ['first', 'second']) {
        await eventually(() => agent.progress_lines.includes(message), message);
        await agent.execute('await mcp.ledger.together({ count: 2 })', { check: 'off' });
      }
      assert.equal((await running).error, undefined);
      const heard = agent.progress;
      for (let i = 1; i < heard.length; ++i) assert(heard[i].progress > heard[i - 1].progress, 'progress goes up');
    }
  },

  async a_call_that_is_cancelled_while_a_person_is_asked_leaves_its_run(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] } }));
    let asked = 0;
    const agent = owned(await connect(workspace, { answer: () => (++asked, new Promise(() => {})) }));
    const stop = new AbortController();
    const running = agent.execute('return await mcp.ledger.post({ n: 1 })', { intent: 'patience' }, { signal: stop.signal });
    running.catch(() => {});
    await eventually(() => asked === 1, 'the person is asked');
    stop.abort('too long');
    await assert.rejects(running);
    const { runs } = (await agent.call('list_runs', { status: 'waiting' })).structuredContent;
    const { run_id, status } = (await agent.call('get_run', { run_id: runs[0].run_id ?? runs[0].id })).structuredContent;
    assert.equal(status, 'approval_required');
    const [{ id }] = await workspace.waiting(1);
    await workspace.json('approvals', 'approve', id);
    await eventually(async () => (await workspace.run_record(run_id)).status === 'finished', 'the run ends');
    assert.deepEqual(workspace.calls('post').map((call) => call.args.n), [1]);
    // So does a workflow.
    const patience = new AbortController();
    const plan = agent.call('run_workflow', { workflow: { tasks: [{ id: 'a', type: 'mcp_tool', tool: 'ledger:post', arguments: { n: 2 } }] } }, { signal: patience.signal });
    plan.catch(() => {});
    await eventually(() => asked === 2, 'the person is asked');
    patience.abort('too long');
    await assert.rejects(plan);
    const { workflows } = (await agent.call('list_runs', { status: 'waiting' })).structuredContent;
    assert.equal(workflows.length, 1);
  },

  async a_cancelled_call_ends_its_run(owned) {
    const workspace = owned(new Workspace());
    for (const era of ['legacy', 'modern']) {
      const agent = owned(await connect(workspace, { era }));
      await agent.execute('return 1');
      // Both kinds: one that waits for a tool and one that never yields the CPU.
      for (const code of ['await mcp.ledger.slow({ ms: 60000 })', 'await mcp.ledger.post({}); for (;;) {}']) {
        const intent = `${era}: ${code}`;
        const made = workspace.calls().length;
        await settled_guests(agent.pid);
        const stop = new AbortController();
        const running = agent.execute(code, { intent }, { signal: stop.signal });
        running.catch(() => {});
        await eventually(() => workspace.calls().length > made, 'the tool is called');
        const during = guests(agent.pid);  // including the one that has the run
        assert(during.length > 1, 'the guest runs');
        stop.abort('enough');
        await assert.rejects(running);
        await eventually(() => during.some((pid) => !is_alive(pid)), 'the guest is gone');
        const run = await eventually(async () => (await workspace.json('runs', 'ls', '--status', 'cancelled')).runs.find((one) => one.intent === intent), 'the run is cancelled');
        assert.equal((await workspace.run_record(run.id)).outcome.error.code, 'CANCELLED');
      }
      // A slow tool of a cancelled run is cancelled.
      await eventually(() => workspace.ledger().some((entry) => entry.state === 'aborted'), 'the server hears of it');
      assert.equal((await agent.execute('return 2')).result, 2);
    }
  },

  async a_server_that_dies_costs_its_own_call(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['*'] } }));
    workspace.config.mcpServers.other = { ...workspace.ledger_server() };
    workspace.write_config();
    const agent = owned(await connect(workspace));
    const outcome = await agent.execute(`
      const settled = await Promise.allSettled([mcp.other.slow({ ms: 600 }), mcp.ledger.die({}), mcp.other.post({ n: 1 })]);
      return settled.map((one) => one.status === 'fulfilled' ? 'ok' : one.reason.name + ' ' + one.reason.toolName)`);
    assert.deepEqual(outcome.result, ['ok', 'MCPToolError ledger.die', 'ok']);
    assert.equal(workspace.calls('die').length, 1, 'what may have happened is not tried again');
    // It is started again for the next.
    const next = await eventually(async () => {
      const said = await agent.execute('return await mcp.ledger.post({ n: 2 })');
      return said.error ? false : said;
    }, 'the server is back');
    assert.deepEqual(next.result, { posted: { n: 2 } });
  },

  async edits_of_the_config_take_effect(owned) {
    const workspace = owned(new Workspace({ permissions: { deny: ['ledger:post'] } }));
    const agent = owned(await connect(workspace));
    const post = () => agent.execute(`try { await mcp.ledger.post({}); return 'made' } catch (error) { return error.name }`);
    assert.equal((await post()).result, 'PermissionDenied');
    workspace.config.permissions = { allow: ['*'] };
    workspace.config.mcpServers.late = { ...workspace.ledger_server() };
    workspace.write_config();
    await eventually(async () => (await post()).result === 'made', 'the rule holds');
    const added = await agent.execute('return await mcp.late.post({ n: 1 })');
    assert.deepEqual(added.result, { posted: { n: 1 } });
    // An invalid config changes nothing, a corrected one does.
    workspace.write_config('{ "permissions": {');
    await pause(500);
    assert.equal((await post()).result, 'made');
    workspace.config.permissions = { allow: ['*'], deny: ['ledger'] };
    delete workspace.config.mcpServers.late;
    workspace.write_config();
    await eventually(async () => (await post()).result === 'PermissionDenied', 'the other rule holds');
    const gone = await agent.execute(`try { await mcp.late.post({ n: 2 }); return 'made' } catch (error) { return error.message }`, { check: 'off' });
    assert.notEqual(gone.result, 'made');
    assert.equal(workspace.calls().filter((call) => call.args?.n === 2).length, 0);
  },

  async two_gateways_in_one_workspace(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] } }));
    const [one, two] = [owned(await connect(workspace)), owned(await connect(workspace))];
    const waits = await Promise.all([one.execute('return await mcp.ledger.post({ n: 1 })'), two.execute('return await mcp.ledger.post({ n: 2 })')]);
    assert.deepEqual(waits.map((said) => said.status), ['approval_required', 'approval_required']);
    const approvals = await workspace.waiting(2);
    assert.equal(approvals.length, 2);
    assert.notEqual(waits[0].run_id, waits[1].run_id);
    // Each run stays with its gateway: the other one answers nothing, only its own client and the owner do.
    for (const approved of [true, false]) {
      const crossed = await two.call('continue_run', { run_id: waits[0].run_id, approval_id: waits[0].approval_id, approved });
      assert.match(crossed.content[0].text, /nothing was recorded/i);
    }
    assert.equal((await workspace.waiting(2)).length, 2);
    await one.call('continue_run', { run_id: waits[0].run_id, approval_id: waits[0].approval_id, approved: true });
    const second = approvals.find((approval) => approval.run === waits[1].run_id);
    assert.equal((await workspace.json('approvals', 'approve', second.id)).ok, true);
    for (const wait of waits) await eventually(async () => (await workspace.run_record(wait.run_id)).status === 'finished', 'it finishes');
    assert.deepEqual(workspace.calls('post').map((call) => call.args.n).sort(), [1, 2]);
    assert.equal((await workspace.json('audit', 'verify')).ok, true);
  },

  async arguments_cannot_become_messages(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    const forged = '{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"post","arguments":{"n":"forged"}}}';
    const texts = [`\n${forged}\n`, `\r\n${forged}\r\n`, `"}}}\n${forged}`, `\u2028${forged}\u2029`, `\u0000${forged}`, `\u0085${forged}`];
    for (const text of texts) {
      const before = workspace.calls().length;
      await agent.execute('return await mcp.ledger.post({ text: context.text, [context.text]: 1 })', { context: { text } });
      assert.deepEqual(workspace.calls().slice(before).map((call) => call.args), [{ text, [text]: 1 }]);
    }
    await agent.execute(`try { await mcp.ledger.post({ text: '\\ud800' + '\\n' + context }) } catch {}`, { context: forged });
    assert.equal(workspace.calls().filter((call) => call.args.n === 'forged').length, 0);
    // Objects that answer differently each time they are read.
    const before = workspace.calls().length;
    await agent.execute(`
      const text = ${JSON.stringify(`\n${forged}\n`)};
      const shapes = [{ toJSON() { return text } }, new Proxy({}, { ownKeys: () => [text], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) })];
      for (const shape of shapes) try { await mcp.ledger.post(shape) } catch {}
      Object.prototype.toJSON = () => text;
      try { await mcp.ledger.post({ n: 1 }) } catch {}`);
    assert.equal(workspace.calls().filter((call) => call.args?.n === 'forged').length, 0);
    assert(workspace.calls().length - before <= 3);
    // The next call gets its own answer.
    assert.deepEqual((await agent.execute('return await mcp.ledger.post({ n: 5 })')).result, { posted: { n: 5 } });
  },

  // A text that was cut in the middle of a character, as happens in JavaScript.
  async half_a_character_gets_an_answer(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    await agent.execute('return context', { context: 'x\ud800' }, { timeout: 100_000 }).catch((error) => assert.doesNotMatch(error.message, /timed out/));
    assert.equal((await agent.execute('return 1')).result, 1);
  },

  async at_the_end_of_input_all_ends(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] } }));
    const agent = await connect(workspace);
    const waits = await agent.execute('return await mcp.ledger.post({ n: 1 })');
    const pid = agent.pid;
    const family = descendants(pid);
    assert(family.some((one) => /ledger\.mjs/.test(one.command)), JSON.stringify(family));
    assert(family.some((one) => !/ledger\.mjs/.test(one.command)), 'and the sandbox');
    // Not with the SDK's close, which sends a signal if it takes long.
    const child = agent.transport._process;
    const ended = new Promise((done) => child.once('exit', (code, signal) => done({ code, signal })));
    child.stdin.end();
    assert.deepEqual(await ended, { code: 0, signal: null });
    await agent.close();
    const alive = (one) => {
      try { return readFileSync(`/proc/${one.pid}/cmdline`, 'utf8').replaceAll('\0', ' ') === one.command && one.command !== ''; } catch { return false; }
    };
    await eventually(() => !family.some(alive), `nobody is left of ${JSON.stringify(family)}`);
    assert.equal((await workspace.run_record(waits.run_id)).status, 'waiting');
    assert.equal((await workspace.json('approvals', 'ls')).approvals.length, 1);
    assert.equal(workspace.calls('post').length, 0);
  },
});
