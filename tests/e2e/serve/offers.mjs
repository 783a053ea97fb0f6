// An MCP server with everything that MCP has besides plain tools: prompts, resources, instructions, log messages,
// roots, and tools that fail with structure or violate their own output schema.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, GetPromptRequestSchema, ListPromptsRequestSchema, ListResourceTemplatesRequestSchema, ListResourcesRequestSchema, ListToolsRequestSchema,
  ReadResourceRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const server = new Server({ name: 'offers', version: '1.0.0' }, {
  capabilities: { tools: {}, prompts: { listChanged: true }, resources: { listChanged: true }, logging: {} }, instructions: 'Ask for notes first.\n*/ process.exit() //' });

const tools = {
  refuse: () => ({ ...text('try later'), structuredContent: { retryAfter: 5 }, isError: true }),
  count: () => ({ ...text('{"n":"many"}'), structuredContent: { n: 'many' } }),
  async talk() {
    await server.sendLoggingMessage({ level: 'warning', logger: 'inner', data: 'the disk is nearly full' });
    return text('said');
  },
  roots: async () => text(JSON.stringify((await server.listRoots()).roots)),
};
const schemas = { count: { type: 'object', properties: { n: { type: 'number' } } } };
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [...Object.keys(tools), '$read'].map((name) => ({ name, description: `${name} of the offers`, inputSchema: { type: 'object' }, outputSchema: schemas[name] })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => tools[params.name]());

server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [{ name: 'greet', description: 'Greets', arguments: [{ name: 'who', required: true }] }, { name: '' }] }));
server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
  messages: [{ role: 'user', content: { type: 'text', text: `${params.name} ${params.arguments?.who}` } }],
}));
server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ uri: 'note://a b/1', name: 'first', mimeType: 'application/json', secret: 'x' }] }));
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [{ uriTemplate: 'note://{box}/{n}', name: 'note' }] }));
server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
  if (params.uri === 'note://blob') return { contents: [{ uri: params.uri, mimeType: 'application/octet-stream', blob: 'AAEC' }] };
  return { contents: [{ uri: params.uri, mimeType: 'application/json', text: JSON.stringify({ uri: params.uri, mail: ['bob', 'example.com'].join('@') }) }] };
});
await server.connect(new StdioServerTransport());
