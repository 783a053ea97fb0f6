// What a gateway reports about itself: metrics, traces, logs; checked with standard readers.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace, eventually } from './workspace.mjs';

// OpenTelemetry's own definition of the protocol, as its exporters ship it.
const require = createRequire(import.meta.url);
const { opentelemetry } = require('@opentelemetry/otlp-transformer/build/src/generated/root');
const Request = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

const caller = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const [, caller_trace, caller_span] = caller.split('-');

// A body as a collector reads it: protobuf's JSON, except for ids, which OTLP writes in hexadecimal. Anything that the
// definition does not know would be lost when it is encoded again, and anything of another type is refused.
function read_otlp(text) {
  const body = JSON.parse(text);
  const hex = /^[0-9a-f]+$/;
  const spans = body.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans));
  for (const span of spans) {
    for (const [key, length] of [['traceId', 32], ['spanId', 16], ['parentSpanId', 16]]) {
      if (span[key] === undefined) continue;
      assert(span[key].length === length && hex.test(span[key]), `${key} ${span[key]}`);
      span[key] = Buffer.from(span[key], 'hex').toString('base64');
    }
    for (const key of ['startTimeUnixNano', 'endTimeUnixNano']) assert.match(span[key], /^\d{19}$/);
  }
  const message = Request.fromObject(body);
  assert.equal(Request.verify(message), null);
  const again = Request.toObject(Request.decode(Request.encode(message).finish()), { longs: String, bytes: String, json: true });
  // protobuf omits zero.
  const said = (value) => Array.isArray(value) ? value.map(said)
    : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, said(one)]).filter(([, one]) => one !== 0 && one !== '' && !(Array.isArray(one) && one.length === 0) && !(typeof one === 'object' && Object.keys(one).length === 0)))
    : value;
  assert.deepEqual(said(again), said(body));
  const value = (one) => one.stringValue ?? (one.intValue !== undefined ? Number(one.intValue) : one.doubleValue ?? one.boolValue);
  return spans.map((span) => ({ ...span, attributes: Object.fromEntries(span.attributes.map(({ key, value: one }) => [key, value(one)])) }));
}

const by_name = (spans, name) => spans.filter((span) => span.name === name);
const one = (spans, name) => {
  const found = by_name(spans, name);
  assert.equal(found.length, 1, `${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found[0];
};

await run_cases({
  async metrics_and_health(owned) {
    const watcher = 'a-token-for-those-who-watch';
    const workspace = owned(new Workspace({ permissions: { allow: ['ledger'], deny: ['ledger:fail'] }, observe: { token: watcher } }));
    const http = await workspace.serve_http();
    const get = (path, token = watcher) => fetch(new URL(path, http.url), { headers: token ? { Authorization: `Bearer ${token}` } : {} });
    for (const path of ['/metrics', '/healthz', '/readyz']) assert.equal((await get(path, '')).status, 401, path);
    assert.equal((await get('/healthz')).status, 200);
    // A client that may watch may do nothing else.
    for (const path of ['/metrics', '/healthz']) assert.equal((await get(path, watcher)).status, 200, path);
    for (const path of ['/api/v1', '/workflows', '/mcp', '/api/v1/workspaces/1/approvals']) assert.equal((await get(path, watcher)).status, 403, path);
    assert.equal((await get('/metricsx', watcher)).status, 404);
    assert.equal((await fetch(new URL('/metrics', http.url), { method: 'POST', headers: { Authorization: `Bearer ${watcher}`, 'Content-Type': 'application/json' } })).status, 405);
    assert.equal((await get('/metrics', http.token)).status, 403, 'an agent does not see what others do');
    await eventually(async () => (await get('/readyz')).status === 200, 'it can run code');
    const agent = owned(await connect(workspace, { http }));
    await agent.execute('await mcp.ledger.post({n:1}); try { await mcp.ledger.fail({}) } catch {} return await mcp.nobody.any({}).catch(() => 7)', { check: 'off' });
    await agent.execute('throw new Error("no")');
    await agent.execute('return await Deno.readTextFile("/etc/hostname").catch(() => 1)');
    const answer = await get('/metrics');
    assert.match(answer.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    for (const line of ['code_execution_total{language="ts",outcome="finished"} 2', 'code_execution_total{language="ts",outcome="failed"} 1',
      'code_execution_errors_total{type="RuntimeError"} 1', 'tool_calls_total{server="ledger",outcome="ok"} 1',
      'tool_calls_total{server="ledger",outcome="denied"} 1', 'tool_calls_total{server="unknown",outcome="error"} 1',
      'tool_server_up{server="ledger"} 1', 'sandbox_startup_ms_count 3', 'approvals_pending 0']) {
      assert(text.includes(`\n${line}\n`), `${line} in ${text}`);
    }
    assert.match(text, /\ncode_execution_blocked_total\{op="fs\.[a-zA-Z]+"\} 1\n/);
    assert.match(text, /\nprocess_resident_memory_bytes \d{7,}/);
    const promtool = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    if (!promtool.error) {
      // 3: it objects to the units in names that are documented. Anything else is wrong.
      assert([0, 3].includes(promtool.status), promtool.stderr);
      for (const line of (promtool.stdout + promtool.stderr).split('\n').filter(Boolean)) assert.match(line, /^\w+_m[sb] metric names should not contain abbreviated units$/);
    }
    const top = await eventually(async () => {
      const seen = await workspace.json('top', '--url', http.url, '--token', watcher);
      return seen.pool && seen.pool.waiting + seen.pool.busy > 0 && seen;
    }, 'a guest waits');
    assert.equal(top.gateways.length, 1);
    assert.deepEqual(top.servers, [{ name: 'ledger', up: true, calls: 2 }]);
    assert.equal(top.runs.newest.length, 3);

    // Its output may not all have arrived yet, and the last line may be incomplete.
    const whole_lines = () => http.err.split('\n').slice(0, -1).map((line) => JSON.parse(line));
    await eventually(() => whole_lines().filter(({ message }) => message === 'run finished').length >= 2, 'its log');
    const lines = whole_lines();
    assert(lines.every(({ time, level, message }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time) && level && message));
    const blocked = lines.filter(({ level, message }) => level === 'warn' && message.startsWith('blocked'));
    assert.deepEqual(blocked.map(({ tool, op }) => tool ?? op.split('.')[0]), ['ledger:fail', 'fs']);
    assert(blocked.every(({ run }) => run.startsWith('run_')));
    assert.equal(lines.filter(({ message }) => message === 'run finished').length, 2);
    http.kill('SIGKILL');
    await http.ended;
    // No gateway runs, and that is reported.
    const alone = await workspace.json('top');
    assert.deepEqual([alone.gateways, alone.pool, alone.runs.newest.length], [[], null, 3]);
  },

  // Each documented metric, after a known sequence of events.
  async metrics_say_what_happened(owned) {
    const watcher = 'whoever-watches-this-gateway';
    const workspace = owned(new Workspace({
      observe: { token: watcher },
      permissions: { allow: ['ledger'], ask: ['ledger:read'], deny: ['ledger:die'], cacheable: ['ledger:commits'] },
      limits: { callsPerMinute: { 'ledger:fail': 1 } },
    }));
    const http = await workspace.serve_http();
    const get = async (path) => (await fetch(new URL(path, http.url), { headers: { Authorization: `Bearer ${watcher}` } })).text();
    await eventually(async () => (await fetch(new URL('/readyz', http.url), { headers: { Authorization: `Bearer ${watcher}` } })).status === 200, 'it can run code');
    const agent = owned(await connect(workspace, { http }));
    // A run does not wait long for a server that starts; here its tools must be known.
    await agent.call('describe_tools', { tools: ['ledger'] });
    const searched = await agent.execute('return 1', { intent: 'commits of the ledger' });
    await agent.execute('await mcp.ledger.commits({ n: 1 }); return (await mcp.ledger.commits({ n: 1 })).length', { check: 'off' });
    await agent.execute('for (const tool of ["fail", "fail", "die"]) await mcp.ledger[tool]({}).catch(() => 0)', { check: 'off' });
    await agent.execute('throw new Error("no")');
    await agent.execute('return await Deno.readTextFile("/etc/hostname").catch(() => 1)');
    const waits = await agent.execute('return await mcp.ledger.read({ n: 1 })');
    assert.equal(waits.status, 'approval_required');
    const waiting = await get('/metrics');
    await agent.call('continue_run', { run_id: waits.run_id, approval_id: waits.approval_id, approved: true });
    await agent.call('run_workflow', { workflow: { tasks: [{ id: 'a', type: 'code_execution', code: 'return 1' }] } });
    const text = await get('/metrics');
    const value = (line, from = text) => Number(from.match(new RegExp(`^${line.replace(/[{}.*]/g, '\\$&')} (.*)$`, 'm'))?.[1]);
    const happened = {
      'code_execution_total{language="ts",outcome="finished"}': 6, 'code_execution_total{language="ts",outcome="failed"}': 1,
      'code_execution_errors_total{type="RuntimeError"}': 1, 'code_execution_blocked_total{op="tool"}': 1,
      'code_execution_duration_ms_count{language="ts"}': 7, 'sandbox_startup_ms_count': 7, 'sandbox_memory_mb_count': 7,
      'runs_live': 0, 'runs_waiting': 0, 'sandbox_busy{language="ts"}': 0, 'sandbox_queued{language="ts"}': 0,
      'tools_injected_count_count': 1, 'tools_injected_count_sum': searched.injectedTools.length, 'tool_discovery_ms_count': 1,
      'tool_calls_total{server="ledger",outcome="ok"}': 2, 'tool_calls_total{server="ledger",outcome="cached"}': 1,
      'tool_calls_total{server="ledger",outcome="error"}': 2, 'tool_calls_total{server="ledger",outcome="denied"}': 1,
      'tool_call_duration_ms_count{server="ledger"}': 3, 'tool_server_up{server="ledger"}': 1, 'rate_limit_rejections_total{server="ledger"}': 1,
      'approvals_pending': 0, 'approval_wait_ms_count': 1, 'cache_hits_total{kind="tool"}': 1, 'trace_spans_exported_total': 0, 'trace_spans_dropped_total': 0,
    };
    assert(searched.injectedTools.length > 0, JSON.stringify(searched));
    for (const [line, count] of Object.entries(happened)) assert.equal(value(line), count, `${line}\n${text}`);
    assert.deepEqual([value('runs_waiting', waiting), value('approvals_pending', waiting)], [1, 1]);
    assert(value('checkpoint_save_ms_count') > 0);
    // Everything documented is there, and everything there is documented.
    const rows = readFileSync(new URL('../../../docs/observability.md', import.meta.url), 'utf8').match(/\| name \| labels[^]*?\n\n/)[0];
    const documented = [...rows.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names]) => [...names.matchAll(/`(\w+\*?)`/g)].map(([, name]) => name));
    const exposed = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name);
    const covers = (row, name) => row === name || (row.endsWith('*') && name.startsWith(row.slice(0, -1)));
    assert.deepEqual(exposed.filter((name) => !documented.some((row) => covers(row, name))), []);
    assert.deepEqual(documented.filter((row) => !exposed.some((name) => covers(row, name))), []);
  },

  async a_run_is_part_of_its_callers_trace(owned) {
    const workspace = owned(new Workspace());
    const http = await workspace.serve_http();
    const traces = async () => (await workspace.json('runs', 'ls')).runs;
    const agent = owned(await connect(workspace, { http }));
    const code = 'await mcp.ledger.post({ secret: "hunter2" }); return 1';
    await agent.client.callTool({ name: 'execute_code', arguments: { code }, _meta: { traceparent: caller } });
    const [run] = await traces();
    const { trace, spans } = await workspace.json('trace', 'show', run.id);
    assert.equal(trace, caller_trace);
    const root = one(spans, 'run');
    assert.equal(root.parent, caller_span);
    assert.equal(root.attributes['glovebox.run.id'], run.id);
    for (const name of ['queue', 'start', 'check', 'execution']) assert.equal(one(spans, name).parent, root.id, name);
    const call = one(spans, 'tools/call post');
    assert.equal(call.parent, one(spans, 'execution').id);
    assert.equal(call.attributes['gen_ai.tool.name'], 'post');
    assert.equal(call.attributes['mcp.method.name'], 'tools/call');
    assert(!JSON.stringify(spans).includes('hunter2'), 'arguments are not told');
    for (const span of spans) {
      assert(span.end >= span.start && span.start >= root.start - 1000 && span.end <= root.end + 1000, `${span.name} lies in its run`);
    }
    // The server gets the call's own span.
    assert.equal(workspace.calls('post')[0].trace, `00-${caller_trace}-${call.id}-01`);

    // An invalid traceparent begins a new trace, and is not passed on.
    for (const wrong of ['00-zz-yy-01', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'x'.repeat(10_000), '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01']) {
      await agent.client.callTool({ name: 'execute_code', arguments: { code: 'return 1' }, _meta: { traceparent: wrong } });
    }
    const fresh = new Set();
    for (const { id } of (await traces()).slice(0, 4)) {
      const shown = await workspace.json('trace', 'show', id);
      assert.equal(one(shown.spans, 'run').parent, undefined);
      fresh.add(shown.trace);
    }
    assert.equal(fresh.size, 4);

    // Over HTTP a header carries it as well; `_meta` takes precedence.
    const post = async (headers, meta) => {
      const response = await fetch(http.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', Authorization: `Bearer ${http.token}`, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'execute_code', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'execute_code', arguments: { code: 'return 1' },
          _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' }, 'io.modelcontextprotocol/clientCapabilities': {}, ...meta } } }),
      });
      assert.equal(response.status, 200, await response.clone().text());
      await response.text();
      return (await workspace.json('trace', 'show', (await traces())[0].id)).trace;
    };
    assert.equal(await post({ traceparent: caller }, {}), caller_trace);
    const other = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
    assert.equal(await post({ traceparent: caller }, { traceparent: other }), 'a'.repeat(32));

    const drawn = await workspace.run('trace', 'show', run.id);
    assert.equal(drawn.code, 0, drawn.err);
    assert.match(drawn.out, /\n {4}ledger\.post +[\d.]+ m?s +█/);
    assert.equal((await workspace.run('trace', 'show', 'run_none')).code, 2);
    const exported = await workspace.run('trace', 'show', run.id, '--otlp');
    assert.equal(one(read_otlp(exported.out), 'tools/call post').attributes['glovebox.tool.server'], 'ledger');
  },

  async spans_reach_a_collector(owned) {
    const bodies = [];
    let refuse = 1;
    const collector = createServer((request, response) => {
      let text = '';
      request.on('data', (data) => { text += data; });
      request.on('end', () => {
        // It is busy at first, and gets the request again.
        if (refuse-- > 0) return response.writeHead(503).end();
        bodies.push({ text, path: request.url, headers: request.headers });
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
    await new Promise((done) => collector.listen(0, '127.0.0.1', done));
    owned({ close: () => collector.close() });
    const workspace = owned(new Workspace({
      permissions: { allow: ['ledger'] },
      observe: { otlp: `http://127.0.0.1:${collector.address().port}`, headers: { 'X-Owner': 'ann' }, arguments: true, results: true },
    }));
    const agent = owned(await connect(workspace));
    await agent.execute('await mcp.ledger.post({ n: 42, password: "hunter2" }); return 1');
    await agent.execute('await Deno.readTextFile("/etc/hostname").catch(() => 1); await mcp.ledger.fail({})');
    const done = await agent.call('run_workflow', { workflow: { name: 'two', tasks: [
      { id: 'a', type: 'code_execution', code: 'return 1' },
      { id: 'b', type: 'code_execution', dependencies: ['a'], code: 'return 2' }] } });
    assert(!done.isError, JSON.stringify(done));
    const all = () => bodies.flatMap(({ text }) => read_otlp(text));
    await eventually(() => by_name(all(), 'workflow').length === 1 && by_name(all(), 'run').length === 4, 'all spans');
    assert(bodies.every(({ path, headers }) => path === '/v1/traces' && headers['content-type'] === 'application/json' && headers['x-owner'] === 'ann'));
    const spans = all();
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length, 'each is sent once');
    const call = one(spans, 'tools/call post');
    assert.equal(call.kind, 3);
    assert.deepEqual(JSON.parse(call.attributes['gen_ai.tool.call.arguments']).n, 42);
    assert(!bodies.some(({ text }) => text.includes('hunter2')), 'secrets are redacted');
    assert.match(call.attributes['gen_ai.tool.call.result'], /posted/);
    const failed = one(spans, 'tools/call fail');
    assert.deepEqual([failed.status.code, failed.attributes['error.type']], [2, 'TOOL_ERROR']);
    const file = spans.find(({ name }) => name.startsWith('fs.'));
    assert.deepEqual([file.attributes['file.path'], file.attributes['error.type']], ['/etc/hostname', 'PERMISSION_DENIED']);
    // Runs of a workflow are beneath its tasks.
    const workflow = one(spans, 'workflow');
    for (const id of ['a', 'b']) {
      const task = one(spans, `task ${id}`);
      assert.equal(task.parentSpanId, workflow.spanId);
      assert.equal(spans.filter(({ name, parentSpanId }) => name === 'run' && parentSpanId === task.spanId).length, 1);
    }
    assert(spans.some(({ name }) => name.startsWith('checkpoint')));
    const shown = await workspace.json('trace', 'show', workflow.attributes['glovebox.workflow.id']);
    assert.equal(by_name(shown.spans, 'execution').length, 2);
  },

  // A person answers after the gateway has died: the trace continues in the next one, as one trace.
  async a_trace_goes_on_after_a_kill(owned) {
    const workspace = owned(new Workspace({ permissions: { ask: ['ledger'] } }));
    const first = await workspace.serve_http();
    const agent = owned(await connect(workspace, { http: first }));
    const waiting = await agent.execute('await mcp.ledger.post({ n: 1 }); return "done"');
    assert.equal(waiting.status, 'approval_required', JSON.stringify(waiting));
    // The store writes it beside the answer.
    const before = await eventually(async () => {
      const shown = await workspace.json('trace', 'show', waiting.run_id);
      return shown.spans?.some(({ name }) => name === 'approval') && shown;
    }, 'the trace so far');
    assert.equal(one(before.spans, 'approval').end, undefined);
    first.kill('SIGKILL');
    await first.ended;
    const [approval] = await workspace.waiting();
    assert.equal((await workspace.run('approvals', 'approve', approval.id)).code, 0);
    await workspace.serve_http();
    await eventually(async () => (await workspace.run_record(waiting.run_id)).status === 'finished', 'the run ends');
    const { trace, spans } = await workspace.json('trace', 'show', waiting.run_id);
    assert.equal(trace, before.trace);
    const asked = one(spans, 'approval');
    const call = one(spans, 'tools/call post');
    assert.equal(asked.parent, call.id);
    assert(asked.end >= asked.start && call.end >= asked.end);
    assert.equal(by_name(spans, 'execution').length, 2);
    assert(by_name(spans, 'execution').every(({ start, end }) => end >= start));
    assert.equal(one(spans, 'run').status, 'ok');
  },
});
