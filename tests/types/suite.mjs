// The public JSON Schema suite: every schema's declaration compiles, valid values type-check, and most invalid ones are
// refused. suite.mjs TOOL_TYPES SOURCE_ROOT
import fs from 'node:fs';
import path from 'node:path';
import { compile, declarations, expect, finish, literal } from './compiler.mjs';

const suite = '/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests';
if (!fs.existsSync(suite)) {
  console.log('skipped: no test data; scripts/bootstrap test installs it');
  process.exit(0);
}

const shapes = [];
const lines = [];
const examples = [];  // of the line with the same index
for (const draft of ['draft2020-12', 'draft7']) {
  for (const file of fs.readdirSync(path.join(suite, draft)).filter((name) => name.endsWith('.json')).sort()) {
    for (const group of JSON.parse(fs.readFileSync(path.join(suite, draft, file), 'utf8'))) {
      const name = `t${shapes.length}`;
      const schema = draft === 'draft7' && typeof group.schema === 'object'
        ? { $schema: 'http://json-schema.org/draft-07/schema#', ...group.schema } : group.schema;
      shapes.push({ server: 's', name, inputSchema: { type: 'object' }, outputSchema: schema });
      for (const test of group.tests) {
        lines.push(`{ const v: Awaited<ReturnType<typeof mcp.s.${name}>> = ${literal(test.data)}; void v; }`);
        examples.push({ where: `${draft}/${file}: ${group.description}: ${test.description}`, valid: test.valid, schema: group.schema, data: test.data });
      }
    }
  }
}
const text = declarations(shapes, 'compact');
const found = compile({ 'tools.d.ts': text, 'values.ts': lines.join('\n') + '\nexport {};\n' });
for (const one of found.filter((one) => one.file === 'tools.d.ts')) {
  expect(false, `the declarations do not compile: ${one.message}\n${text.split('\n')[one.line - 1]}`);
}
const errors = new Map(found.filter((one) => one.file === 'values.ts').map((one) => [one.line - 1, one]));

const kind = (value) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
const speaks = (schema, ...keys) => keys.some((key) => Object.hasOwn(schema, key));

// Types are stricter than schemas in two ways, on purpose: a name that the schema does not list (2353, 2559) ...
const isUnlisted = (error) => error.code === 2353 || error.code === 2559;
// ... and a value of another kind than the one that a schema without `type` is about.
const isOtherKind = ({ schema, data }) => !speaks(schema, 'type') &&
  ((speaks(schema, 'properties', 'patternProperties', 'additionalProperties', 'required') && kind(data) !== 'object') ||
   (speaks(schema, 'items', 'prefixItems') && kind(data) !== 'array'));

// Keywords that express more than types can.
const beyond = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern',
  'minItems', 'maxItems', 'minProperties', 'maxProperties', 'uniqueItems', 'contains', 'not', 'if', 'dependentRequired',
  'dependentSchemas', 'dependencies', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems', 'oneOf', 'patternProperties',
  '$dynamicRef', 'format', 'contentMediaType'];
const goesBeyond = (schema) => schema === false || (kind(schema) === 'array' ? schema.some(goesBeyond)
  : kind(schema) === 'object' && (speaks(schema, ...beyond) || /^http/.test(schema.$ref) || Object.values(schema).some(goesBeyond)));

const counts = { schemas: shapes.length, valid: 0, validRefused: 0, invalid: 0, invalidRefused: 0, expressible: 0, expressibleRefused: 0 };
examples.forEach((example, i) => {
  const error = errors.get(i);
  if (example.valid) {
    counts.valid += 1;
    if (error) counts.validRefused += 1;
    expect(!error || isUnlisted(error) || isOtherKind(example), `valid and refused: ${example.where}: ${error?.message}`);
    return;
  }
  counts.invalid += 1;
  if (error) counts.invalidRefused += 1;
  if (goesBeyond(example.schema)) return;
  counts.expressible += 1;
  if (error) counts.expressibleRefused += 1;
  if (!error && process.env.GLOVEBOX_VERBOSE) console.log(`not refused: ${example.where}`);
});
console.log(JSON.stringify(counts));
expect(counts.schemas > 500 && counts.valid > 1000 && counts.invalid > 700, 'the suite is not the one that is known');
expect(counts.validRefused <= 0.04 * counts.valid, 'types are stricter than they were');
expect(counts.expressibleRefused >= 0.85 * counts.expressible, 'types find less than they did');
expect(counts.invalidRefused >= 0.45 * counts.invalid, 'types find less than they did');
finish();
