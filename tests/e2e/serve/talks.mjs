// An MCP server whose errors reveal details of its machine.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const said = `ENOENT: no such file, open '/home/ada/keys.pem' ${'x'.repeat(2000)}\n    at Object.open (/srv/app/index.js:3:7)`;
const server = new Server({ name: 'talks', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'tell', inputSchema: { type: 'object' } }] }));
server.setRequestHandler(CallToolRequestSchema, () => ({ isError: true, content: [{ type: 'text', text: said }] }));
await server.connect(new StdioServerTransport());
