// MCP's tasks, both sides, with the official SDK at the other end.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { run_cases } from './cases.mjs';
import { connect, whole } from './clients.mjs';
import { Workspace, eventually } from './workspace.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const post = 'return await mcp.ledger.post({ n: 1 })';
const posted = { posted: { n: 1 } };
const asking = () => new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] } });
const tasks_of = (agent) => agent.client.experimental.tasks;

// execute_code as a task: the messages of the SDK's stream.
async function* following(agent, code, name = 'execute_code') {
  yield* tasks_of(agent).callToolStream({ name, arguments: { code } }, CallToolResultSchema, { task: { ttl: 600_000 }, timeout: 600_000 });
}
async function begun(stream) {
  const { value } = await stream.next();
  assert.equal(value.type, 'taskCreated', JSON.stringify(value));
  return value.task.taskId;
}
async function last(stream, seen = []) {
  for await (const message of stream) seen.push(message);
  return seen.at(-1);
}
const code_of = (error) => error.code;

await run_cases({
  async a_run_is_a_task(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    assert.deepEqual(agent.client.getServerCapabilities().tasks, { list: {}, cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = await agent.client.listTools();
    assert.deepEqual(tools.filter((tool) => tool.execution?.taskSupport === 'optional').map((tool) => tool.name), ['execute_code', 'call_tool', 'continue_run']);

    const stream = following(agent, 'return 6 * 7');
    const id = await begun(stream);
    const done = await last(stream);
    assert.equal(done.type, 'result', JSON.stringify(done));
    assert.equal(whole(done.result).result, 42);
    assert.equal(done.result._meta['io.modelcontextprotocol/related-task'].taskId, id);
    const status = agent.sent('notifications/tasks/status').map((entry) => entry.message.params);
    assert.deepEqual(status.map((task) => [task.taskId, task.status]), [[id, 'completed']]);
    assert.deepEqual((await tasks_of(agent).listTasks()).tasks.map((task) => task.taskId), [id]);

    // The result of a run that fails says why, as that of a call does.
    const failing = following(agent, 'throw new Error("nothing there")');
    const failed = await begun(failing);
    assert.equal((await last(failing)).type, 'error');
    assert.match((await tasks_of(agent).getTask(failed)).statusMessage, /nothing there/);
    const told = await tasks_of(agent).getTaskResult(failed, CallToolResultSchema);
    assert.equal(told.isError, true);
    assert.match(told.content[0].text, /nothing there/);

    // When cancelled, it ends; and only once.
    const endless = following(agent, 'await mcp.ledger.read({}); for (;;) await new Promise((done) => setTimeout(done, 50))');
    const gone = await begun(endless);
    await eventually(() => workspace.calls('read').length === 1, 'the run is at work');
    assert.equal((await tasks_of(agent).cancelTask(gone)).status, 'cancelled');
    await assert.rejects(tasks_of(agent).cancelTask(gone), (error) => code_of(error) === -32602);
    await assert.rejects(tasks_of(agent).getTask('no-such-task'), (error) => code_of(error) === -32602);
    await eventually(async () => (await workspace.json('runs', 'ls')).runs.some((run) => run.status === 'cancelled'), 'the run is cancelled');
    // A tool that answers at once is not a task.
    await assert.rejects(tasks_of(agent).callToolStream({ name: 'list_runs', arguments: {} }, CallToolResultSchema, { task: {} }).next()
      .then(({ value }) => { if (value.type === 'error') throw value.error; }), (error) => code_of(error) === -32601);
  },

  async a_run_that_waits_for_a_person_is_a_task(owned) {
    const workspace = owned(asking());
    // If the person can be asked in the client, its form comes when the result is requested.
    let asked = 0;
    const agent = owned(await connect(workspace, { answer: (params) => {
      asked += Boolean(params._meta['io.modelcontextprotocol/related-task'].taskId);
      return { action: 'accept', content: { decision: 'approve' } };
    } }));
    const seen = [];
    const done = await last(following(agent, post), seen);
    assert.deepEqual(whole(done.result).result, posted);
    assert.equal(asked, 1);
    assert(seen.some((message) => message.task?.status === 'input_required'), JSON.stringify(seen));
    assert.equal(workspace.calls('post').length, 1);

    // With another client it waits until it is answered, anywhere.
    const mute = owned(await connect(workspace));
    const stream = following(mute, post);
    const id = await begun(stream);
    const rest = last(stream);
    const waits = await eventually(async () => {
      const task = await tasks_of(mute).getTask(id);
      return task.status === 'input_required' && task;
    }, 'the task waits');
    assert.match(waits.statusMessage, /waiting for approval: post \(run run_\w+, approval ap_\w+\)/);
    const [approval] = await workspace.waiting();
    assert(waits.statusMessage.includes(approval.id));
    await workspace.run('approvals', 'approve', approval.id);
    assert.deepEqual(whole((await rest).result).result, posted);

    // When cancelled, it no longer waits.
    const other = following(mute, post);
    const given_up = await begun(other);
    await workspace.waiting();
    await tasks_of(mute).cancelTask(given_up);
    await eventually(async () => (await workspace.json('approvals', 'ls')).approvals.length === 0, 'nothing is asked any more');
    assert.equal(workspace.calls('post').length, 2);
  },

  // Over HTTP: they belong to their principal, in any session, and to no one else.
  async tasks_belong_to_who_began_them(owned) {
    const workspace = owned(new Workspace());
    const http = await workspace.serve_http();
    const first = owned(await connect(workspace, { http }));
    const id = await begun(following(first, 'await new Promise((done) => setTimeout(done, 300)); return "there"'));
    await first.close();
    const again = owned(await connect(workspace, { http }));
    assert.equal(whole(await tasks_of(again).getTaskResult(id, CallToolResultSchema)).result, 'there');
    const stranger = owned(await connect(workspace, { http: { url: http.url, token: await workspace.token('agent') } }));
    assert.deepEqual((await tasks_of(stranger).listTasks()).tasks, []);
    await assert.rejects(tasks_of(stranger).getTaskResult(id, CallToolResultSchema), (error) => code_of(error) === -32602);
    await assert.rejects(tasks_of(stranger).cancelTask(id), (error) => code_of(error) === -32602);
  },

  // Tools that a server offers as tasks are called like others.
  async tools_that_are_tasks(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['tasking', 'strict'] } }));
    const notes_file = join(workspace.folder, 'notes.txt');
    const notes = () => (existsSync(notes_file) ? readFileSync(notes_file, 'utf8') : '');
    const server = { command: process.execPath, args: [join(here, 'tasking.mjs')], env: { NOTES: notes_file } };
    // Longer than a busy machine delays a report.
    Object.assign(workspace.config.mcpServers, { tasking: server, strict: { ...server, callTimeoutMs: 5000 } });
    workspace.write_config();
    const agent = owned(await connect(workspace));
    const outcome = await agent.execute('return [await mcp.tasking.wait({ ms: 300 }), await mcp.tasking.count({ to: 2 })]');
    assert.deepEqual(outcome.result, [{ waited: 300 }, { counted: 2 }], JSON.stringify(outcome));
    // Its status messages are progress: a call may last longer than it may be silent.
    const long = await agent.execute('return await mcp.strict.count({ to: 15 })', {}, { onprogress() {} });
    assert.deepEqual(long.result, { counted: 15 }, JSON.stringify(long));
    assert(agent.progress_lines.some((line) => /counted \d/.test(line)), agent.progress_lines.join('\n'));
    const failed = await agent.execute('return await mcp.tasking.fail({})');
    assert.equal(failed.error.code, 'TOOL_ERROR', JSON.stringify(failed));
    // If it is silent for too long, or no longer needed, the server is notified.
    const silent = await agent.execute('return await mcp.strict.wait({ ms: 600000 })');
    assert.match(silent.error.message, /callTimeoutMs/, JSON.stringify(silent));
    const controller = new AbortController();
    const cancelled = agent.execute('return await mcp.tasking.wait({ ms: 600000 })', {}, { signal: controller.signal });
    await eventually(() => notes().split('\n').filter((line) => line.startsWith('wait ')).length === 3, 'the third is under way');
    controller.abort();
    await assert.rejects(cancelled);
    await eventually(() => (notes().match(/ is cancelled/g) ?? []).length === 2, 'both are cancelled');
  },
});
