// Python through `glovebox serve` and `glovebox exec`, with real servers and real skills.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace, descendants, eventually, is_alive, program } from './workspace.mjs';

const python = { language: 'python' };

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
      const outcome = await agent.execute(`
path = context["path"]
sum, weather = mcp.gather(mcp.every["get-sum"](a=2, b=3), mcp.every.getStructuredContent({"location": "Chicago"}))
mcp.files.write_file(path=path, content=sum + "\\n")
content = mcp.files.read_text_file(path=path)["content"]
mcp.memory.create_entities(entities=[{"name": context["era"], "entityType": "sum", "observations": [content]}])
graph = await mcp.memory.search_nodes(query=context["era"])
print("seen", len(graph["entities"]))
{"content": content, "seen": graph["entities"][0]["observations"], "weather": type(weather["temperature"]).__name__}`,
        { ...python, context: { path: join(data, `${era}.txt`), era } });
      assert.equal(outcome.error, undefined, JSON.stringify(outcome.error));
      assert.deepEqual(outcome.result, { content: 'The sum of 2 and 3 is 5.\n', seen: ['The sum of 2 and 3 is 5.\n'], weather: outcome.result.weather });
      assert.match(outcome.result.weather, /^(int|float)$/);
      assert.deepEqual(outcome.logs, ['seen 1']);
      assert.equal(outcome.metrics.toolCalls, 6);
      assert.equal(readFileSync(join(data, `${era}.txt`), 'utf8'), 'The sum of 2 and 3 is 5.\n');
      const record = await workspace.run_record(outcome.run_id);
      assert.equal(record.language, 'py', JSON.stringify(record).slice(0, 500));
    }
  },

  async errors_denials_and_calls_at_once(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['ledger', 'talks'], deny: ['ledger:die'] } }));
    workspace.config.mcpServers.talks = { command: process.execPath, args: [fileURLToPath(new URL('talks.mjs', import.meta.url))] };
    workspace.write_config();
    const agent = owned(await connect(workspace));
    const caught = await agent.execute(`
told = []
for call in (lambda: mcp.ledger.fail(), lambda: mcp.ledger.die(), lambda: mcp.ledger["no_such" + "_tool"](), lambda: mcp.ledger.post(n=1)):
    try:
        call()
        told.append("made")
    except MCPToolError as error: told.append([error.code, error.tool_name, str(error)[:20]])
    except PermissionError as error: told.append(str(error)[:36])
told`, python);
    assert.deepEqual(caught.result, [['TOOL_ERROR', 'ledger.fail', 'the ledger is closed'], 'Requires tool access to "ledger:die"',
      ['TOOL_NOT_FOUND', 'ledger.no_such_tool', caught.result[2][2]], 'made'], JSON.stringify(caught));
    const together = await agent.execute(`
import asyncio
len(await asyncio.gather(*(mcp.ledger.together(n=n, count=5) for n in range(5))))`, python);
    assert.equal(together.result, 5, JSON.stringify(together.error));
    // None of them ends before all have arrived.
    assert.deepEqual(workspace.ledger().filter((entry) => entry.tool === 'together').map((entry) => entry.state),
      [...Array(5).fill('called'), ...Array(5).fill('ended')]);
    // What a server reveals about its machine is only for the owner, whatever the language.
    const scripts = [['mcp.talks.tell()', python], ['return await mcp.talks.tell({})', {}]];
    for (const [code, more] of scripts) {
      const { error } = await agent.execute(code, more);
      assert.equal(error.code, 'TOOL_ERROR', JSON.stringify(error));
      assert.doesNotMatch(JSON.stringify(error), /home|ada|srv|index\.js/);
      assert.match(error.message, /^MCPToolError: ENOENT: no such file, open '<path>' x+…$/);
      assert([...error.message].length <= 500 + 'MCPToolError: '.length, error.message);
    }
    const audit = readFileSync(join(workspace.state, 'audit.log'), 'utf8');
    assert.match(audit, /\/home\/ada\/keys\.pem/);
    assert.match(audit, /srv\/app\/index\.js/);
  },

  async skills_as_device(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['TimeSkill'], deny: ['TimeSkill:erase', 'SecretSkill'] }, skills: './skills' }));
    mkdirSync(join(workspace.folder, 'skills'));
    writeFileSync(join(workspace.folder, 'skills/clock.py'), `
class TimeSkill:
    def get_current_time(self, timezone: str = "UTC") -> str:
        """The time now."""
        return "12:00 " + timezone
    def erase(self) -> None:
        open("erased", "w").close()
    def fail(self) -> None:
        raise ValueError("no /etc/secret here")
class SecretSkill:
    def tell(self) -> str: return "told"
`);
    const agent = owned(await connect(workspace));
    const outcome = await agent.execute(`
told = [device.TimeSkill.get_current_time(), device.TimeSkill.get_current_time("CET"), [found["path"] for found in device.search_skills(query="current")],
        device.describe_function("TimeSkill.get_current_time")["docstring"], mcp.TimeSkill.get_current_time(timezone="EST")]
for attempt in (lambda: device.FakeSkill.x(), lambda: device.TimeSkill.fly(), lambda: device.TimeSkill.erase(), lambda: device.SecretSkill.tell(),
                lambda: device.TimeSkill.fail()):
    try: told.append(attempt())
    except Exception as error: told.append(f"{type(error).__name__}: {error}")
told`, python);
    assert.deepEqual(outcome.result, ['12:00 UTC', '12:00 CET', ['TimeSkill.get_current_time'], 'The time now.', '12:00 EST',
      'AttributeError: Skill not found: FakeSkill. Available: TimeSkill',
      'AttributeError: Skill not found: TimeSkill.fly. Available: TimeSkill.fail, TimeSkill.get_current_time',
      'PermissionError: Skill not allowed: TimeSkill.erase', 'PermissionError: Skill not allowed: SecretSkill',
      'MCPToolError: Skill error: ValueError: no <path> here'], JSON.stringify(outcome));
    assert(!existsSync(join(workspace.folder, 'erased')) && !existsSync(join(workspace.folder, 'skills/erased')));
    const uncaught = await agent.execute('device.FakeSkill.x()', python);
    assert.equal(uncaught.error.message, 'AttributeError: Skill not found: FakeSkill. Available: TimeSkill');
  },

  async a_run_that_waits_is_taken_up_after_a_kill(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger:post'], allow: ['ledger'] } }));
    const first = await connect(workspace);
    const waits = await first.asks_about(2, `
import random, time, uuid
chance = [random.random(), str(uuid.uuid4()), time.time(), [*{"a", "b", "c", "d"}]]
before = mcp.ledger.read(n=1)
posted = mcp.gather(*(mcp.ledger.post(n=n, chance=chance) for n in range(2)))
{"before": before, "same": [one["posted"]["chance"] == chance for one in posted], "after": mcp.ledger.read(n=2)}`, python);
    const reads = workspace.calls('read').length;
    const family = [first.pid, ...descendants(first.pid).map((one) => one.pid)];
    process.kill(first.pid, 'SIGKILL');
    await eventually(() => !family.some(is_alive), 'the gateway is dead, and all that it had started');
    await first.close();
    const second = owned(await connect(workspace));
    const outcome = (await second.call('continue_run', { run_id: waits.run_id, approval_id: waits.approval_id, approved: true })).structuredContent;
    assert.deepEqual(outcome.result, { before: 'read 1', same: [true, true], after: 'read 2' }, JSON.stringify(outcome));
    assert.deepEqual(workspace.calls('post').map((call) => call.args).sort((a, b) => a.n - b.n), waits.context.calls.map((call) => call.arguments));
    assert.deepEqual(workspace.calls('read').slice(reads).map((call) => call.args.n), [2], 'what was done before is not done again');
  },

  async exec_with_real_servers(owned) {
    const workspace = owned(new Workspace());
    writeFileSync(join(workspace.folder, 'report.py'), `
posted = [mcp.ledger.post(n=n)["posted"]["n"] for n in range(3)]
print("posted", posted)
return {"sum": sum(posted)}
`);
    const child = workspace.start(program, ['exec', 'report.py', '--config', workspace.config_file, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = await child.ended;
    assert.equal(ended.code, 0, ended.out + ended.err);
    const outcome = JSON.parse(ended.out);
    assert.deepEqual(outcome.result, { sum: 3 });
    assert.deepEqual(outcome.logs, ['posted [0, 1, 2]']);
    assert.deepEqual(workspace.calls('post').map((call) => call.args.n), [0, 1, 2]);
  },

  async it_is_warm_when_the_config_says_so(owned) {
    const workspace = owned(new Workspace({ python: { warm: true } }));
    const cache = join(workspace.folder, 'cache');
    workspace.env = { XDG_CACHE_HOME: cache };
    const agent = owned(await connect(workspace));
    // No run has used Python yet.
    await eventually(() => existsSync(join(cache, 'glovebox')) && readdirSync(join(cache, 'glovebox')).some((name) => /^python-.*\.image$/.test(name)), 'Python has booted');
    const outcome = await agent.execute('1 + 1', python);
    assert.equal(outcome.result, 2, JSON.stringify(outcome));
  },
});
