// The upstream server of the gateway's measurements, made with the official SDK:
//   echo { text }       → { text }
//   records { bytes }   → { records: […] }, about that many bytes as JSON
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const made = new Map();
function records_of(bytes) {
  if (!made.has(bytes)) {
    const count = Math.ceil(bytes / 200);
    const record = (id) => ({ id, customer: `customer ${id % 997}`, cents: (id * 7919) % 100_000, note: "x".repeat(134) });
    made.set(bytes, Array.from({ length: count }, (_, id) => record(id)));
  }
  return made.get(bytes);
}

const tools = {
  echo: ({ text }) => ({ content: [], structuredContent: { text } }),
  records: ({ bytes }) => ({ content: [], structuredContent: { records: records_of(bytes) } }),
};

const server = new Server({ name: "bench", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    { name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } },
    { name: "records", inputSchema: { type: "object", properties: { bytes: { type: "integer" } } } },
  ],
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => tools[params.name](params.arguments));
await server.connect(new StdioServerTransport());
