// Tools of real servers: their declarations compile, calls that their schemas allow type-check, and the mistakes that
// agents make do not. real.mjs TOOL_TYPES SOURCE_ROOT
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { compile, declarations, expect, finish, literal, root } from './compiler.mjs';

const modules = path.join(root, 'tests/e2e/node_modules');
const require = createRequire(path.join(modules, 'x.js'));
const Ajv = require('ajv/dist/2020').default;

const tools = [];
const { Client } = await import(path.join(modules, '@modelcontextprotocol/sdk/dist/esm/client/index.js'));
const { StdioClientTransport } = await import(path.join(modules, '@modelcontextprotocol/sdk/dist/esm/client/stdio.js'));
for (const [server, args] of [['everything', []], ['filesystem', ['/tmp']], ['memory', []]]) {
  const client = new Client({ name: 'glovebox-tests', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, stderr: 'ignore',
    args: [path.join(modules, `@modelcontextprotocol/server-${server}/dist/index.js`), ...args] }));
  for (const tool of (await client.listTools()).tools) tools.push({ set: 'npm', server, ...tool });
  await client.close();
}
const retrieval = path.join(root, '../shared/retrieval');
for (const set of ['livemcp', 'bfcl-live']) {
  const file = path.join(retrieval, set, 'tools.jsonl');
  if (!fs.existsSync(file)) {
    console.log(`skipped: ${set}, which is not here`);
    continue;
  }
  for (const line of fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)) tools.push({ set, ...JSON.parse(line) });
}

// A value that the schema allows, as far as this function goes; `all`: with everything that may be there.
const sample = (schema, whole, all, depth = 0) => {
  if (schema === true || schema === undefined || depth > 6) return 'x';
  if (schema.$ref) return sample(schema.$ref.slice(2).split('/').reduce((at, key) => at?.[decodeURIComponent(key)], whole) ?? true, whole, all, depth + 1);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice && !schema.properties) return sample(choice[0], whole, all, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type ?? (schema.properties ? 'object' : schema.items ? 'array' : 'string');
  switch (type) {
    case 'object': {
      const out = {};
      for (const [key, sub] of Object.entries(schema.properties ?? {})) {
        if (all || schema.required?.includes(key)) out[key] = sample(sub, whole, all, depth + 1);
      }
      return out;
    }
    case 'array': return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, (_, i) => sample(schema.prefixItems?.[i] ?? schema.items, whole, all, depth + 1));
    case 'integer':
    case 'number': return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
    case 'boolean': return true;
    case 'null': return null;
    default: return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
  }
};
const misspelt = (key) => (key.length > 2 ? key.slice(0, 1) + key.slice(2) : `${key}x`);
const otherKind = (value) => (typeof value === 'string' ? { not: 'a text' } : 'another kind');

const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
const shapes = [];
const lines = [];
const examples = [];
const isOpen = (schema) => schema.additionalProperties !== undefined && schema.additionalProperties !== false;
tools.forEach((tool, i) => {
  const name = `t${i}`;
  const schema = tool.inputSchema ?? { type: 'object' };
  shapes.push({ ...tool, server: 's', name, inputSchema: schema });
  let fits;
  try { fits = ajv.compile({ ...schema, $id: undefined, $schema: undefined }); } catch { return; }
  const add = (kind, value) => {
    lines.push(`mcp.s.${name}(${literal(value)});`);
    examples.push({ kind, tool, value });
  };
  for (const all of [false, true]) {
    const value = sample(schema, schema, all);
    if (!fits(value)) continue;
    add('valid', value);
    if (!all) {
      for (const key of schema.required ?? []) {
        const { [key]: gone, ...rest } = value;
        if (!fits(rest)) add('missing', rest);
      }
      continue;
    }
    for (const key of Object.keys(value)) {
      const wrong = { ...value, [key]: otherKind(value[key]) };
      if (!fits(wrong)) add('wrong kind', wrong);
      const { [key]: gone, ...rest } = value;
      if (!isOpen(schema) && !(misspelt(key) in value)) add('misspelt', { ...rest, [misspelt(key)]: gone });
    }
  }
});
const texts = { compact: declarations(shapes, 'compact'), full: declarations(shapes, 'full') };
const found = compile({ 'tools.d.ts': texts.compact, 'calls.ts': lines.join('\n') + '\nexport {};\n' });
for (const one of found.filter((one) => one.file === 'tools.d.ts')) {
  expect(false, `the declarations do not compile: ${one.message}\n${texts.compact.split('\n')[one.line - 1]}`);
}
for (const one of compile({ 'tools.d.ts': texts.full, 'probe.ts': 'export {};' })) expect(false, `the full form: ${one.message}`);

const errors = new Map(found.filter((one) => one.file === 'calls.ts').map((one) => [one.line - 1, one]));
const counts = {};
examples.forEach(({ kind, tool, value }, i) => {
  const set = (counts[tool.set] ??= { tools: 0 });
  const count = (set[kind] ??= { of: 0, refused: 0 });
  count.of += 1;
  if (errors.has(i)) count.refused += 1;
  if (kind === 'valid') expect(!errors.has(i), `${tool.server}.${tool.name} ${JSON.stringify(value).slice(0, 200)}: ${errors.get(i)?.message}`);
  else if (!errors.has(i) && process.env.GLOVEBOX_VERBOSE) console.log(`${kind}, not refused: ${tool.server}.${tool.name} ${JSON.stringify(value).slice(0, 200)}`);
});
for (const tool of tools) (counts[tool.set] ??= { tools: 0 }).tools += 1;
const bytes = (value) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
for (const [set, count] of Object.entries(counts)) {
  const own = tools.filter((tool) => tool.set === set);
  count.schemaBytes = bytes(own.map(({ name, description, inputSchema, outputSchema }) => ({ name, description, inputSchema, outputSchema })));
  count.compactBytes = bytes(declarations(own, 'compact'));
  count.fullBytes = bytes(declarations(own, 'full'));
  console.log(set, JSON.stringify(count));
  for (const kind of ['missing', 'wrong kind', 'misspelt']) {
    if (count[kind]) expect(count[kind].refused >= 0.97 * count[kind].of, `${set}: of ${count[kind].of} calls with the mistake "${kind}", ${count[kind].refused} are refused`);
  }
}
expect(counts.npm.tools > 30 && counts.npm.valid.of > 30, 'the servers do not list what they did');
finish();
