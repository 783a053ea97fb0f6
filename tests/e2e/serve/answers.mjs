// What clients of `glovebox serve` get: the list of tools, results in all their forms, errors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { run_cases } from './cases.mjs';
import { connect, whole } from './clients.mjs';
import { Workspace, eventually } from './workspace.mjs';

await run_cases({
  async lists_its_tools(owned) {
    const workspace = owned(new Workspace());
    for (const era of ['legacy', 'modern']) {
      const agent = owned(await connect(workspace, { era }));
      const { tools } = await agent.client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name).sort(),
        ['call_tool', 'cancel_run', 'continue_run', 'describe_tools', 'execute_code', 'get_run', 'list_runs', 'search_tools']);
      for (const tool of tools) assert.equal(tool.inputSchema.type, 'object', tool.name);
      // Clients check arguments against the listed schema, so it must accept everything that is accepted.
      for (const [name, taken] of Object.entries({
        execute_code: [{ code: '1', language: 'ts' }, { code: '1', language: 'py', at: 'local', check: 'off', result_bytes: 5, context: [] }],
        list_runs: [{ status: 'paused', limit: 3 }], continue_run: [{ run_id: 'x', approved: false }], get_run: [{ run_id: 'x', path: '/result', result_bytes: 9 }],
        describe_tools: [{ tools: ['a'], form: 'full', language: 'py' }], search_tools: [{ intent: '', language: 'py' }], call_tool: [{ tool: 'a.b', result_bytes: 1 }],
      })) {
        const fits = new AjvJsonSchemaValidator().getValidator(tools.find((tool) => tool.name === name).inputSchema);
        for (const args of taken) assert(fits(args).valid, `${name} ${JSON.stringify(args)}: ${fits(args).errorMessage}`);
      }
      const execute = tools.find((tool) => tool.name === 'execute_code');
      assert(execute.outputSchema);
      assert.equal(execute.inputSchema.properties.at, undefined, 'there is no remote gateway');
      assert.match(execute.description, /Servers: ledger\.$/);
    }
  },

  // The workflow tools are listed for clients that have a workflow, or if the owner's config says so; servers are named
  // as in the config.
  async what_is_listed_follows_config_and_use(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    const listed = async () => (await agent.client.listTools()).tools;
    const has_workflow_tools = async () => (await listed()).filter((tool) => /workflow/.test(tool.name)).length === 2;
    const notices = () => agent.sent('notifications/tools/list_changed').length;
    assert(!await has_workflow_tools());
    workspace.config.answers = { workflowTools: true };
    workspace.config.mcpServers.late = { ...workspace.ledger_server() };
    workspace.write_config();
    await eventually(() => notices() === 1, 'the list has changed');
    assert(await has_workflow_tools());
    assert.match((await listed()).find((tool) => tool.name === 'execute_code').description, /Servers: .*late/);
    workspace.config.answers = {};
    workspace.write_config();
    await eventually(() => notices() === 2, 'the list has changed back');
    assert(!await has_workflow_tools());
    // A tool that is not listed can still be called.
    const begin = () => agent.call('run_workflow', { workflow: { tasks: [{ id: 'a', type: 'code_execution', code: 'return 1' }] } });
    assert.equal((await begin()).structuredContent.status, 'finished');
    assert(await has_workflow_tools());
    await begin();
    assert.equal(notices(), 3);
    const other = owned(await connect(workspace));
    assert((await other.client.listTools()).tools.length > 8, 'the next process of the same client has it too');
  },

  async results_logs_metrics_and_trace(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    const { tools } = await agent.client.listTools();
    const fits = new AjvJsonSchemaValidator().getValidator(tools.find((tool) => tool.name === 'execute_code').outputSchema);
    const said = await agent.call('execute_code', {
      code: `console.log('adding', context.n); const { posted } = await mcp.ledger.post({ n: context.n }); return { sum: posted.n + 1 }`,
      context: { n: 41 }, intent: 'add one',
    });
    assert(!said.isError);
    // A model reads either of the two, and pays for each word; programs read everything.
    assert.deepEqual(Object.keys(said.structuredContent), ['run_id', 'result', 'logs']);
    assert.equal(said.content[0].text, '{"sum":42}\n\nlogs:\nadding 41');
    const outcome = whole(said);
    assert.deepEqual(outcome.result, { sum: 42 });
    assert.deepEqual(outcome.logs, ['adding 41']);
    assert.equal(outcome.metrics.toolCalls, 1);
    assert(outcome.metrics.executionTimeMs > 0);
    assert.equal(outcome.trace.length, 1);
    const [step] = outcome.trace;
    assert.equal(step.target, 'ledger.post');
    assert.deepEqual(JSON.parse(step.arguments), { n: 41 });
    assert.equal(step.outcome, 'ok');
    assert(step.durationMs > 0);
    assert.equal(step.bytes, JSON.stringify({ posted: { n: 41 } }).length);
    for (const code of ['return 1', 'throw new Error("x")', 'await mcp.ledger.fail({})', '?']) {
      const verdict = fits((await agent.call('execute_code', { code })).structuredContent);
      assert(verdict.valid, `${code}: ${verdict.errorMessage}`);
    }
    assert(!fits('text').valid, 'the schema says something');
    // The same run, later, with the same text; all of it on request.
    const record = await agent.call('get_run', { run_id: outcome.run_id });
    assert.deepEqual([record.structuredContent, record.content], [said.structuredContent, said.content]);
    const detail = (await agent.call('get_run', { run_id: outcome.run_id, detail: true })).structuredContent;
    assert.equal(detail.trace[0].target, 'ledger.post');
    assert.equal(detail.run_id, outcome.run_id);
    const { runs } = (await agent.call('list_runs', { status: 'finished' })).structuredContent;
    assert(runs.some((run) => run.run_id === outcome.run_id && run.intent === 'add one'));
  },

  // The model gets the type and the beginning, and reads what it needs; nothing is lost.
  async a_large_result_is_read_in_parts(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['*'] }, answers: { resultBytes: 2000 } }));
    const agent = owned(await connect(workspace));
    const said = await agent.call('execute_code', { code: `for (let i = 0; i < 3000; ++i) console.log('line', i); return await mcp.ledger.commits({ n: 2020 })` });
    const { run_id, result, shape, head, next, logs } = said.structuredContent;
    assert.equal(result, undefined);
    assert.match(shape, /^array of 2,020 objects \{sha, author\}, [\d,]+ bytes$/);
    assert(head.startsWith('[{"sha":"0","author":"ada"}') && head.length <= 2000, head);
    assert.match(next, /get_run \{"run_id":"[^"]+","path":"\/result","offset":0\}/);
    assert(JSON.stringify(said.structuredContent).length < 6000 && said.content[0].text.length < 6000);
    assert.deepEqual([logs[0], logs.at(-1)], ['line 0', 'line 2999']);
    assert.match(logs.find((line) => line.startsWith('…')), /^… [\d,]+ lines\. Read more with get_run .*"path":"\/logs","offset":\d+/);
    const read = async (more) => (await agent.call('get_run', { run_id, ...more })).structuredContent;
    const commits = [];
    while (commits.length < 2020) {
      const { value, total, next } = await read({ path: '/result', offset: commits.length });
      commits.push(...value);
      assert.equal(total, 2020);
      assert.equal(next === undefined, commits.length === 2020);
    }
    assert.deepEqual(commits, Array.from({ length: 2020 }, (_, i) => ({ sha: `${i}`, author: ['ada', 'bob'][i % 2] })));
    assert.deepEqual((await read({ path: '/result/7/author' })).value, 'bob');
    assert.deepEqual((await read({ path: '/logs', offset: 1500, limit: 2 })).value, ['line 1500', 'line 1501']);
    assert.equal((await read({ path: '/trace/0/target' })).value, 'ledger.commits');
    assert.match((await agent.call('get_run', { run_id, path: '/nothing' })).content[0].text, /nothing exists at \/nothing/);
    // The limit can be set per call; and a value at the cut is filtered before: half of it would not be recognised.
    assert.equal((await agent.call('execute_code', { code: `return 'x'.repeat(3000)`, result_bytes: 4000 })).structuredContent.result.length, 3000);
    const mail = await agent.call('execute_code', { code: `return 'x'.repeat(1990) + ' ann@' + 'example.com ' + 'y'.repeat(1000)` });
    assert.doesNotMatch(JSON.stringify(mail), /ann@|xample/);
    const middle = await agent.call('get_run', { run_id: mail.structuredContent.run_id, path: '/result', offset: 1991, limit: 7 });
    assert.match(middle.structuredContent.value, /^<EMAIL/);
    // Another client has no such run.
    const stranger = owned(new Workspace());
    const other = owned(await connect(stranger));
    assert.equal((await other.call('get_run', { run_id, path: '/result' })).isError, true);
  },

  async json_in_a_text_is_a_value(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['*'], cacheable: ['ledger:commits'] } }));
    const agent = owned(await connect(workspace));
    const counted = await agent.execute(`
      const by: Record<string, number> = {};
      const all = await mcp.ledger.commits({ n: 1000 });
      for (const { author } of all) by[author] = (by[author] ?? 0) + 1;
      return { total: all.length, by };`);
    assert.deepEqual(counted.result, { total: 1000, by: { ada: 500, bob: 500 } });
    // Its raw blocks are a separate answer, also from the cache.
    const forms = `
      const [block] = await mcp.ledger.commits.raw({ n: 2 });
      const value = await mcp.ledger.commits({ n: 2 });
      const [again] = await mcp.ledger.commits.raw({ n: 2 });
      return [block.type, block.text === JSON.stringify(value), again.text === block.text, await mcp.ledger.read.raw({ n: 1 })];`;
    for (const code of [forms, forms + '// again']) {
      const raw = await agent.execute(code);
      assert.deepEqual(raw.result, ['text', true, true, [{ type: 'text', text: 'read 1' }]], JSON.stringify(raw));
    }
    assert.equal(workspace.calls('commits').length, 3, 'the rest came from the cache');
    const wrong = await agent.checked({ code: 'return mcp.ledger.commits.raw(5)' });
    assert.equal(wrong.structuredContent.error.code, 'TYPE_CHECK_FAILED');
    const python = await agent.execute(`import asyncio
a, b = mcp.ledger.commits(n=3), mcp.ledger.commits.raw(n=3)
[c] = await mcp.ledger.commits.raw(n=3)
[len(a), b[0]["type"], c == b[0], repr(mcp.ledger.commits.raw)]`, { language: 'python' });
    assert.deepEqual(python.result, [3, 'text', true, '<tool ledger.commits>'], JSON.stringify(python));
  },

  // Models cannot read base64: a picture from a tool that the program returns is a picture for the client, too.
  async pictures_reach_the_client(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['*'] } }));
    workspace.config.mcpServers.every = workspace.npm_server('server-everything', ['stdio']);
    workspace.write_config();
    for (const era of ['legacy', 'modern']) {
      const agent = owned(await connect(workspace, { era }));
      const said = await agent.call('execute_code', { code: 'return { shot: await mcp.every.getTinyImage() }' });
      const [text, picture, ...more] = said.content;
      assert.deepEqual([picture.type, picture.mimeType, more], ['image', 'image/png', []]);
      assert.equal(Buffer.from(picture.data, 'base64').subarray(1, 4).toString(), 'PNG');
      assert.match(text.text, /\[image 1: 20×20 png\]/);
      assert.match(said.structuredContent.result.shot[1], /^\[image 1: 20×20 png\]$/);
      const { run_id } = said.structuredContent;
      const later = await agent.call('get_run', { run_id });
      const part = await agent.call('get_run', { run_id, path: '/result/shot' });
      const detail = await agent.call('get_run', { run_id, detail: true });
      for (const answer of [said, later, part, detail]) {
        assert.deepEqual(answer.content[1], picture);
        const [{ text }] = answer.content;
        assert(!JSON.stringify([text, answer.structuredContent, answer._meta]).includes(picture.data.slice(0, 40)), 'base64 stands nowhere else');
      }
    }
  },

  // Artifacts reach the client as pictures and links, and people by command line and HTTP.
  async what_is_emitted_reaches_its_client_and_people(owned) {
    const workspace = owned(new Workspace());
    const gif = 'R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=';
    const code = `emit('dot.gif', Buffer.from('${gif}', 'base64'));
      emit('mails.csv', ['who', ['bob', 'example.com'].join('@')].join('\\n'));
      emit('page.html', '<script>alert(1)</script>');
      return 'done'`;
    const gateway = await workspace.serve_http();
    const viewer = await workspace.token('viewer');
    const approver = await workspace.token('approver');
    const download = (path, token) => fetch(new URL(`/api/v1/workspaces/1/runs/${path}`, gateway.url), { headers: { Authorization: `Bearer ${token}` } });
    for (const era of ['legacy', 'modern']) {
      const agent = owned(await connect(workspace, { era, http: gateway }));
      const said = await agent.call('execute_code', { code });
      const { run_id: run, artifacts } = said.structuredContent;
      const uri = (name) => `glovebox://runs/${run}/artifacts/${name}`;
      assert.deepEqual(artifacts.map((one) => [one.name, one.type, one.uri]),
        [['dot.gif', 'image/gif', uri('dot.gif')], ['mails.csv', 'text/csv', uri('mails.csv')], ['page.html', 'text/html', uri('page.html')]]);
      const [text, picture, ...links] = said.content;
      assert.match(text.text, /^"done"\n\nartifacts:\ndot\.gif: \[image 1: 1×1 gif\]\nmails\.csv: text\/csv, 19 bytes, glovebox:/);
      assert.deepEqual(picture, { type: 'image', data: gif, mimeType: 'image/gif' });
      assert.deepEqual(links.map((link) => [link.type, link.uri]), [['resource_link', uri('mails.csv')], ['resource_link', uri('page.html')]]);
      const { contents: [mails] } = await agent.client.readResource({ uri: uri('mails.csv') });
      assert.equal(mails.mimeType, 'text/csv');
      assert.match(mails.text, /^who\n<EMAIL_\d+>$/, 'the filter has seen it');
      const { contents: [dot] } = await agent.client.readResource({ uri: uri('dot.gif') });
      assert.equal(dot.blob, gif);
      assert((await agent.client.listResourceTemplates()).resourceTemplates.some((one) => one.uriTemplate === 'glovebox://runs/{run}/artifacts/{name}'));
      for (const wrong of [uri('none'), uri('../x'), 'glovebox://runs/run_000/artifacts/dot.gif'])
        await assert.rejects(agent.client.readResource({ uri: wrong }), /Resource not found/, wrong);
      const later = await agent.call('get_run', { run_id: run });
      assert.deepEqual(later.content, said.content);

      const listed = await workspace.json('runs', 'artifacts', run);
      assert.deepEqual(listed.artifacts.map((one) => one.size), [35, 19, 25]);
      assert.equal((await workspace.run('runs', 'artifacts', run, 'mails.csv')).out, 'who\nbob@example.com');
      const file = join(workspace.folder, `saved-${era}.gif`);
      assert.equal((await workspace.run('runs', 'artifacts', run, 'dot.gif', '--output', file)).code, 0);
      assert.equal(readFileSync(file).toString('base64'), gif);
      const again = await workspace.run('runs', 'artifacts', run, 'dot.gif', '--output', file);
      assert.equal(again.code, 2);
      assert.match(again.err, /already exists/);
      assert.match((await workspace.run('runs', 'artifacts', run, 'none')).err, /has no artifact none; `glovebox runs artifacts/);

      assert.deepEqual((await (await download(`${run}/artifacts`, viewer)).json()).artifacts.map((one) => one.name), ['dot.gif', 'mails.csv', 'page.html']);
      assert.equal((await download(`${run}/artifacts/page.html`, viewer)).status, 403);
      const page = await download(`${run}/artifacts/page.html`, approver);
      assert.equal(await page.text(), '<script>alert(1)</script>');
      assert.equal(page.headers.get('content-disposition'), 'attachment; filename="page.html"');
      assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
      assert.match(page.headers.get('content-security-policy'), /sandbox/);
    }
  },

  async the_rest_of_mcp_passes_through(owned) {
    const server = { command: process.execPath, args: [join(dirname(fileURLToPath(import.meta.url)), 'offers.mjs')] };
    const workspace = owned(new Workspace({ servers: { offers: server }, permissions: { allow: ['offers'] } }));
    for (const era of ['legacy', 'modern']) {
      const agent = owned(await connect(workspace, { era }));
      if (era === 'legacy') await agent.client.setLoggingLevel('debug');
      const described = await agent.call('describe_tools', { tools: ['offers'] });
      assert.match(described.content[0].text, /^\/\/ offers says of itself:\n\/\/ Ask for notes first\.\n\/\/ \*\/ process/);
      assert.match(described.content[0].text, /\$read\(args: /);

      // For the client, under our names.
      const { prompts } = await agent.client.listPrompts();
      assert.deepEqual(prompts, [{ name: 'offers/greet', description: 'Greets', arguments: [{ name: 'who', required: true }] }]);
      const prompt = await agent.client.getPrompt({ name: 'offers/greet', arguments: { who: 'Ann' } });
      assert.equal(prompt.messages[0].content.text, 'greet Ann');
      const { resources } = await agent.client.listResources();
      assert.deepEqual(resources, [{ uri: 'mcp://offers/note://a b/1', name: 'offers/first', mimeType: 'application/json' }]);
      const { resourceTemplates } = await agent.client.listResourceTemplates();
      assert(resourceTemplates.some((one) => one.uriTemplate === 'mcp://offers/note://{box}/{n}' && one.name === 'offers/note'));
      const { contents: [content] } = await agent.client.readResource({ uri: resources[0].uri });
      assert.equal(content.uri, resources[0].uri);
      assert.match(content.text, /^{"uri":"note:\/\/a b\/1","mail":"<EMAIL_\d+>"}$/, 'the filter has seen it');
      for (const wrong of ['mcp://offers/', 'mcp://nobody/x', 'mcp://'])
        await assert.rejects(agent.client.readResource({ uri: wrong }), /Resource not found/, wrong);
      await assert.rejects(agent.client.getPrompt({ name: 'nobody/greet' }), /no such prompt/);

      // In code.
      const read = await agent.execute(`return [(await mcp.offers.$read('note://x')).uri, (await mcp.offers.read_resource({ uri: 'note://y' })).uri,
        (await mcp.offers.$read('note://blob'))[0].resource.blob, (await mcp.offers.$prompt({ name: 'greet' })).messages.length]`);
      assert.deepEqual(read.result, ['note://x', 'note://y', 'AAEC', 1], JSON.stringify(read.error));
      const failed = await agent.execute('try { await mcp.offers.refuse({}) } catch (error) { return [error.message, error.structuredContent] }');
      assert.deepEqual(failed.result, ['try later', { retryAfter: 5 }]);
      const counted = await agent.execute('return await mcp.offers.count({})');
      assert.deepEqual(counted.result, { n: 'many' });
      assert.match(counted.diagnostics.find((one) => one.code === 'OUTPUT_SCHEMA').message, /^offers[.:]count returned something that its own output schema does not allow: \/n /);
      const roots = await agent.execute('return (await mcp.offers.roots({}))[0].uri');
      assert.equal(roots.result, `file://${workspace.folder}`);
      if (era === 'legacy') {
        await agent.execute('return await mcp.offers.talk({})');
        await eventually(() => agent.sent('notifications/message').some(({ message: { params } }) =>
          params.logger === 'offers' && params.level === 'warning' && /disk is nearly full/.test(JSON.stringify(params.data))), 'the server was heard');
      }
      // What a rule asks about needs a person, and this client cannot ask one.
      workspace.config.permissions = { ask: ['offers:$read'], deny: ['offers:$prompt'] };
      workspace.write_config();
      await eventually(async () => (await agent.client.listPrompts()).prompts.length === 0, 'what is denied is not listed');
      await assert.rejects(agent.client.getPrompt({ name: 'offers/greet' }), /no such prompt/);
      await assert.rejects(agent.client.readResource({ uri: resources[0].uri }), /a person has to approve this/);
      assert.deepEqual((await workspace.json('approvals', 'ls')).approvals, []);
      workspace.config.permissions = { allow: ['offers'] };
      workspace.write_config();
      await eventually(async () => (await agent.client.listPrompts()).prompts.length === 1, 'and listed again');
    }
  },

  async errors_of_tools_are_exceptions(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    const caught = await agent.execute(`
      try { await mcp.ledger.fail({}) } catch (error) {
        return [error instanceof MCPToolError, error instanceof Error, error.name, error.toolName, error.code, error.message] }`);
    assert.deepEqual(caught.result, [true, true, 'MCPToolError', 'ledger.fail', 'TOOL_ERROR', 'the ledger is closed']);
    const said = await agent.call('execute_code', { code: 'await mcp.ledger.fail({})' });
    assert.equal(said.isError, true);
    assert.equal(said.structuredContent.error.type, 'ToolError');
    assert.equal(said.structuredContent.error.toolName, 'ledger.fail');
    const missing = await agent.execute(`try { await mcp.ledger.no_such_tool({}) } catch (error) { return [error.name, error.code] }`, { check: 'off' });
    assert.deepEqual(missing.result, ['MCPToolError', 'TOOL_NOT_FOUND']);
  },

  // What a model needs to fix its program: the message once, the line, and what was already done.
  async an_error_is_told_once(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    const code = `for (const n of [1, 2, 3]) await mcp.ledger.post({ n });\nawait mcp.ledger.read({});\nthrow new Error('out of luck')`;
    const made = { 'ledger.post': 3, 'ledger.read': 1 };
    const where = "at agent.ts:3:7\n3 | throw new Error('out of luck')\n  |       ^";
    const failed = await agent.checked({ code });
    const { run_id, error } = failed.structuredContent;
    assert.deepEqual(error, { type: 'RuntimeError', code: 'RUNTIME_ERROR', message: 'out of luck', where, calls: made });
    const { text } = failed.content[0];
    assert.equal(text, `RuntimeError (RUNTIME_ERROR): out of luck\n${where}\nCalls that had been made: ledger.post ×3, ledger.read`);
    assert.equal((await agent.call('get_run', { run_id })).content[0].text, text);
    for (const [args, message] of [[{ code: 'await fetch("http://example.org")' }, /Requires net access/g], [{ code: '1/0', language: 'python' }, /division by zero/g],
      [{ code: 'await mcp.ledger.fail({})' }, /the ledger is closed/g], [{ code: 'x = = 1' }, /Expression expected/g], [{ code: 'await mcp.ledger.post({}, 5, 6)' }, /Expected 0-1 arguments/g]]) {
      const said = await agent.checked(args);
      for (const told of [said.content[0].text, JSON.stringify(said.structuredContent)]) assert.equal(told.match(message)?.length, 1, told);
    }
  },
});
