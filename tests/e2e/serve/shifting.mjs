// An MCP server whose tools are those of the file TOOLS, a JSON array, and that says so when the file changes.
import { readFileSync, watchFile } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'shifting', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: JSON.parse(readFileSync(process.env.TOOLS, 'utf8')).map((tool) => ({ inputSchema: { type: 'object' }, ...tool })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: 'text', text: params.name }] }));
await server.connect(new StdioServerTransport());
watchFile(process.env.TOOLS, { interval: 50 }, () => server.sendToolListChanged());
