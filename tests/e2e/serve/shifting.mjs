// An MCP server whose tools are those of the file TOOLS, a JSON array, and that notifies when the file changes.
import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'shifting', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
const read = () => readFileSync(process.env.TOOLS, 'utf8');
let told;
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: JSON.parse(told = read()).map((tool) => ({ inputSchema: { type: 'object' }, ...tool })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: 'text', text: params.name }] }));
await server.connect(new StdioServerTransport());
// Compared with what was listed: a watcher that starts a moment later would miss a change.
setInterval(() => {
  const now = read();
  if (told === undefined || told === now) return;
  told = now;
  server.sendToolListChanged();
}, 50).unref();
