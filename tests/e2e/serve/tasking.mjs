// A server whose tools are tasks: `wait` takes as long as requested, or records that it was cancelled; `count` reports what
// it does.
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { z } from 'zod';

const note = (text) => appendFileSync(process.env.NOTES, `${text}\n`);
const store = new InMemoryTaskStore();
const server = new McpServer({ name: 'tasking', version: '1.0.0' }, { capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }, taskStore: store });

function add(name, taskSupport, inputSchema, work) {
  server.experimental.tasks.registerToolTask(name, { inputSchema, execution: { taskSupport } }, {
    async createTask(args, { taskStore, taskRequestedTtl }) {
      const task = await taskStore.createTask({ ttl: taskRequestedTtl, pollInterval: 100 });
      note(`${name} ${task.taskId}`);
      work(args, task.taskId, taskStore);
      return { task };
    },
    getTask: (args, { taskId, taskStore }) => taskStore.getTask(taskId),
    getTaskResult: (args, { taskId, taskStore }) => taskStore.getTaskResult(taskId),
  });
}
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

add('wait', 'required', { ms: z.number() }, async (args, id, tasks) => {
  for (let left = args.ms; left > 0; left -= 50) {
    await new Promise((done) => setTimeout(done, 50));
    if ((await tasks.getTask(id)).status === 'cancelled') return note(`${id} is cancelled`);
  }
  await tasks.storeTaskResult(id, 'completed', text({ waited: args.ms }));
});
add('count', 'optional', { to: z.number() }, async (args, id, tasks) => {
  for (let n = 1; n <= args.to; ++n) {
    await new Promise((done) => setTimeout(done, 400));
    await tasks.updateTaskStatus(id, 'working', `counted ${n}`);
  }
  await tasks.storeTaskResult(id, 'completed', text({ counted: args.to }));
});
add('fail', 'required', {}, (args, id, tasks) => tasks.storeTaskResult(id, 'failed', { ...text({ why: 'no' }), isError: true }));

await server.connect(new StdioServerTransport());
