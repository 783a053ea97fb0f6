// One of the official SDK clients against a server: sdk_client.mjs legacy|modern URL|PROGRAM. Exits with 0 on success.
import assert from 'node:assert/strict';

const [era, target] = process.argv.slice(2);
const over_http = target.startsWith('http');
const capabilities = { elicitation: {}, sampling: {}, roots: {} };
const identity = { name: 'sdk-client', version: '1.0.0' };

let client, transport;
if (era === 'legacy') {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  client = new Client(identity, { capabilities });
  client.setRequestHandler(types.ElicitRequestSchema, async () => ({ action: 'accept', content: { username: 'ann', email: 'a@b.c' } }));
  transport = over_http ? new StreamableHTTPClientTransport(new URL(target)) : new StdioClientTransport({ command: target, args: ['--stdio'] });
} else {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  client = new Client(identity, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'ann', username: 'ann', email: 'a@b.c' } }));
  transport = over_http ? new StreamableHTTPClientTransport(new URL(target)) : new StdioClientTransport({ command: target, args: ['--stdio'] });
}

await client.connect(transport);
const { tools } = await client.listTools();
assert(tools.some((tool) => tool.name === 'echo'));

// Structured output, which the SDK checks against the schema.
const echoed = await client.callTool({ name: 'echo', arguments: { text: 'h\u00e9llo \u{1f600}' } });
assert.deepEqual(echoed.structuredContent, { text: 'h\u00e9llo \u{1f600}' });

// Arguments that do not fit are an error of the tool.
const wrong = await client.callTool({ name: 'echo', arguments: { text: 7 } });
assert.equal(wrong.isError, true);

// A question in the middle of a call.
const asked = await client.callTool({ name: 'test_elicitation', arguments: { message: 'Who?' } });
assert.match(asked.content[0].text, /accept/);

// Read from the transport: the SDK finishes the call before it handles a report that it has read together with the
// answer.
const progress = [];
const receive = transport.onmessage;
transport.onmessage = (message, ...rest) => {
  if (message.method === 'notifications/progress') progress.push(message.params.progress);
  return receive(message, ...rest);
};
await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, ...(era === 'legacy' ? [undefined] : []), { onprogress() {} });
assert.deepEqual(progress, [0, 50, 100]);

// 10 MB in one piece.
const large = await client.callTool({ name: 'large', arguments: { bytes: 10_000_000 } });
assert.equal(large.content[0].text.length, 10_000_000);

// Many at once.
const many = await Promise.all(Array.from({ length: 100 }, (_, i) => client.callTool({ name: 'echo', arguments: { text: `${i}` } })));
assert.deepEqual(many.map((result) => result.structuredContent.text), Array.from({ length: 100 }, (_, i) => `${i}`));

// Cancellation.
const stop = new AbortController();
const hanging = client.callTool({ name: 'hang', arguments: {} }, ...(era === 'legacy' ? [undefined] : []), { signal: stop.signal });
setTimeout(() => stop.abort('enough'), 100);
await assert.rejects(hanging);

const { resources } = await client.listResources();
assert(resources.length > 0);
const read = await client.readResource({ uri: 'test://template/42/data' });
assert.match(read.contents[0].text, /42/);
const prompt = await client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'x', arg2: 'y' } });
assert.match(prompt.messages[0].content.text, /arg1='x'/);
await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }));
await client.close();
