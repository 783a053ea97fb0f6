// An MCP server with real schemas: a shop's back office. Each call is a line of the file LEDGER before it is answered.
import { appendFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required, additionalProperties: false });
const string = { type: 'string' }, number = { type: 'number' }, integer = { type: 'integer' }, boolean = { type: 'boolean' };
const list = (items) => ({ type: 'array', items });
const one_of = (...values) => ({ type: 'string', enum: values });

const customer = object({ id: string, name: string, email: string, tier: one_of('basic', 'gold') });
const order = object({ id: string, customerId: string, status: one_of('open', 'shipped', 'cancelled'), totalCents: integer,
  lines: list(object({ sku: string, quantity: integer })) });

const customers = [{ id: 'c1', name: 'Ada', email: 'ada@shop.example', tier: 'gold' }, { id: 'c2', name: 'Bob', email: 'bob@shop.example', tier: 'basic' }];
const orders = [
  { id: 'o1', customerId: 'c1', status: 'open', totalCents: 4200, lines: [{ sku: 'tea', quantity: 2 }] },
  { id: 'o2', customerId: 'c2', status: 'shipped', totalCents: 990, lines: [{ sku: 'cup', quantity: 1 }] },
];

const tools = {
  list_customers: [object({ tier: one_of('basic', 'gold'), limit: integer }, []), object({ customers: list(customer) }), () => ({ customers })],
  get_customer: [object({ id: string }), customer, ({ id }) => customers.find((one) => one.id === id) ?? customers[0]],
  list_orders: [object({ customer_id: string, status: one_of('open', 'shipped', 'cancelled') }, []), object({ orders: list(order), next_page: string }, ['orders']),
    ({ customer_id }) => ({ orders: orders.filter((one) => !customer_id || one.customerId === customer_id) })],
  refund_order: [object({ order_id: string, amount_cents: integer, reason: string }), object({ refund_id: string, accepted: boolean }),
    () => ({ refund_id: 'r1', accepted: true })],
  send_email: [object({ to: list(string), subject: string, body: string, priority: one_of('low', 'high') }, ['to', 'subject', 'body']), object({ message_id: string }),
    () => ({ message_id: 'm1' })],
  set_stock: [object({ sku: string, stock: object({ warehouse: string, quantity: integer }) }), object({ ok: boolean }), () => ({ ok: true })],
  get_price: [object({ sku: string, currency: one_of('EUR', 'USD') }), object({ cents: integer, currency: string }), ({ currency }) => ({ cents: 350, currency })],
};

const server = new Server({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.entries(tools).map(([name, [inputSchema, outputSchema]]) => ({ name, description: `${name} of the shop`, inputSchema, outputSchema })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  appendFileSync(process.env.LEDGER, JSON.stringify({ pid: process.pid, tool: params.name, state: 'called', args: params.arguments }) + '\n');
  const structuredContent = tools[params.name][2](params.arguments ?? {});
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
});
await server.connect(new StdioServerTransport());
