// What a model pays, in tokens of cl100k, for work through Glovebox and for the same work with direct MCP. Clients
// differ in what they pass to their model: the text of an answer, its structured content, or both. Every number has a
// ceiling here, so that nothing grows unnoticed; a change that makes an answer shorter lowers it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { run_cases } from './cases.mjs';
import { connect } from './clients.mjs';
import { Workspace } from './workspace.mjs';

const encoder = new Tiktoken(cl100k);
// Ids differ each time, and may have one token more or less.
const tokens = (value) => encoder.encode((typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\b(run|ap)_\w+/g, '$1_id')).length;
const text_of = ({ content }) => content.map((block) => block.text ?? '').join('\n');

const servers = ['ledger', 'files', 'memory', 'every'];
function workspace_with_servers(permissions = { allow: ['*'] }) {
  const workspace = new Workspace({ permissions });
  const data = join(workspace.folder, 'data');
  Object.assign(workspace.config.mcpServers, {
    files: workspace.npm_server('server-filesystem', [data]),
    memory: workspace.npm_server('server-memory', [], { MEMORY_FILE_PATH: join(workspace.folder, 'memory.jsonl') }),
    every: workspace.npm_server('server-everything', ['stdio']),
  });
  workspace.write_config();
  const words = 'a glovebox lets you handle what you must not touch '.split(' ');
  for (let file = 0; file < 20; ++file) {
    writeFileSync(join(data, `${file}.txt`), Array.from({ length: 400 + 20 * file }, (_, i) => words[(i * 7 + file) % words.length]).join(' '));
  }
  return { workspace, data };
}

// An agent that talks to a server itself.
async function direct(workspace, name) {
  const client = new Client({ name: 'e2e', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ ...workspace.config.mcpServers[name], stderr: 'ignore' }));
  return client;
}

// The length of paths differs from machine to machine, so they are not counted.
const short = (value, folder) => JSON.parse(JSON.stringify(value).replaceAll(folder, '/w'));

// By the behaviour of the client: what one call of Glovebox costs the model, including the arguments that it writes.
function cost_of(args, said) {
  const asked = tokens(args);
  const [text, structure] = [tokens(text_of(said)), tokens(said.structuredContent ?? {})];
  return { text: asked + text, structure: asked + structure, both: asked + text + structure };
}

function within(costs, ceiling, what) {
  console.log(what, JSON.stringify(costs));
  for (const [kind, most] of Object.entries(ceiling)) assert(costs[kind] <= most, `${what}, ${kind}: ${costs[kind]} tokens, and ${most} are the ceiling`);
}

await run_cases({
  async the_list_of_tools(owned) {
    const { workspace } = workspace_with_servers();
    owned(workspace);
    const agent = owned(await connect(workspace));
    const { tools } = await agent.client.listTools();
    const ours = { list: tokens(tools), model: tokens(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))), instructions: tokens(agent.client.getInstructions()) };
    within(ours, { list: 980, model: 900, instructions: 45 }, 'list');
    let theirs = 0;
    for (const name of servers) {
      const client = owned(await direct(workspace, name));
      theirs += tokens((await client.listTools()).tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
    }
    assert(theirs > 4 * ours.model, `${theirs} tokens of direct MCP`);
  },

  async three_tasks(owned) {
    const { workspace, data } = workspace_with_servers();
    owned(workspace);
    const agent = owned(await connect(workspace));
    const path = (name) => join(data, name);
    const clients = { files: owned(await direct(workspace, 'files')), ledger: owned(await direct(workspace, 'ledger')) };
    const tasks = {
      // A program reads twenty files and returns the five longest.
      documents: {
        code: `const names = Array.from({ length: 20 }, (_, i) => ${JSON.stringify(data)} + '/' + i + '.txt');
const files = await Promise.all(names.map(async (path) => ({ path: path.split('/').at(-1), words: (await mcp.files.read_text_file({ path })).content.split(' ').length })));
return files.sort((a, b) => b.words - a.words).slice(0, 5)`,
        direct: Array.from({ length: 20 }, (_, i) => ['files', 'read_text_file', { path: path(`${i}.txt`) }]),
        ceiling: { text: 156, structure: 164, both: 212 }, times: 40,
      },
      // A long list of which only counts are needed.
      commits: {
        code: `const by = {};
for (const { author } of await mcp.ledger.commits({ n: 1000 })) by[author] = (by[author] ?? 0) + 1;
return by`,
        direct: [['ledger', 'commits', { n: 1000 }]],
        ceiling: { text: 65, structure: 73, both: 82 }, times: 100,
      },
      // If one call would do, a program should cost little more.
      one_file: {
        code: `return (await mcp.files.list_directory({ path: ${JSON.stringify(data)} })).content.split('\\n')[0]`,
        direct: [['files', 'list_directory', { path: data }]],
        ceiling: { text: 39, structure: 48, both: 56 }, times: 1,
      },
    };
    for (const [name, task] of Object.entries(tasks)) {
      const args = { code: task.code };
      const said = await agent.call('execute_code', args);
      assert(!said.isError, text_of(said));
      const ours = cost_of(short(args, workspace.folder), short(said, workspace.folder));
      let theirs = 0;
      for (const [server, tool, args] of task.direct) {
        const answer = await clients[server].callTool({ name: tool, arguments: args });
        theirs += tokens(short(args, workspace.folder)) + tokens(text_of(short(answer, workspace.folder)));
      }
      within(ours, task.ceiling, name);
      assert(theirs > task.times * ours.structure, `${name}: ${theirs} tokens of direct MCP`);
    }
  },

  // The result is the same four digits, however many calls were made for it.
  async calls_cost_nothing(owned) {
    const workspace = owned(new Workspace());
    const agent = owned(await connect(workspace));
    const sum = (n) => ({ code: `let sum = 0; for (let i = 0; i < ${n}; ++i) sum += (await mcp.ledger.post({ n: 12 })).posted.n; return sum` });
    const [few, many] = [await agent.call('execute_code', sum(10)), await agent.call('execute_code', sum(300))];
    assert.equal(many.structuredContent.result, 3600);
    assert.equal(tokens(many.structuredContent), tokens({ ...few.structuredContent, result: 3600 }));
    assert.equal(text_of(many), '3600');
  },

  async errors_and_questions(owned) {
    const workspace = owned(new Workspace({ permissions: { allow: ['ledger'], ask: ['ledger:die'] } }));
    const agent = owned(await connect(workspace));
    const program = `${'// a long program\n'.repeat(500)}return await mcp.ledger.die({ why: 'it must' })`;
    for (const [name, args, ceiling] of [
      ['syntax', { code: 'const a = = 1' }, { text: 45, structure: 66, both: 98 }],
      ['types', { code: 'return await mcp.ledger.postt({ n: 1 })' }, { text: 90, structure: 112, both: 184 }],
      ['thrown', { code: `await mcp.ledger.post({ n: 1 });\nthrow new Error('no')` }, { text: 66, structure: 85, both: 125 }],
      ['tool', { code: 'return await mcp.ledger.fail({})' }, { text: 64, structure: 91, both: 140 }],
      ['python', { code: '[][1]', language: 'python' }, { text: 54, structure: 77, both: 118 }],
    ]) {
      const said = await agent.checked(args);
      assert(said.isError, name);
      within(cost_of(args, said), ceiling, name);
    }
    // The program is not repeated.
    const args = { code: program };
    const asked = short(await agent.call('execute_code', args), workspace.folder);
    assert.equal(asked.structuredContent.status, 'approval_required');
    within(cost_of('', asked), { text: 125, structure: 145, both: 270 }, 'approval_required');
  },
});
