// Untrusted text in every place that reaches the declarations. Each tries to break out and to declare PWNED; the
// compiler must find the tools that were meant, their types, and nothing else. hostile.mjs TOOL_TYPES SOURCE_ROOT
import { spawnSync } from 'node:child_process';
import { compile, declarations, expect, finish, literal } from './compiler.mjs';

const payload = 'declare const PWNED: 1;';
const words = [
  `*/ ${payload} /*`, `*\u200b/ ${payload} /*`, `*\n/ ${payload}`, `**/${payload}/**`, `\n${payload}\n`, `\r${payload}`,
  `\u2028${payload}\u2028`, `\u2029${payload}`, `\u0085${payload}`, `\u000b${payload}\u000c`, `"; ${payload} "`, `'; ${payload} '`,
  `\`; ${payload} \``, `\${${payload}}`, `\\`, `\\"; ${payload} //`, `\\u0022; ${payload} //`, `} ${payload} {`, `}>; ${payload} type X = {`,
  `// ${payload}`, `/// <reference path="x" />`, '@ts-ignore', '@ts-expect-error', '@ts-nocheck', '@jsx PWNED', `<script>${payload}</script>`, '\ufeff', '\u202e\u2066',
  '', ' ', '\t', '\0', '__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'new', 'get', 'set',
  'async', 'static', 'readonly', 'abstract', 'declare', 'accessor', 'class', 'function', 'import', 'export', 'default', 'await', 'yield', 'in',
  'out', 'is', 'asserts', 'infer', 'keyof', 'unique', 'type', 'interface', 'namespace', 'module', 'global', 'let', 'enum', 'any', 'never',
  'unknown', 'object', 'undefined', 'null', 'true', 'NaN', 'Infinity', '0', '-1', '1e3', '0x10', 'a b', 'a-b', 'a.b', 'a/b', '日本', '😀', 'é',
  '$', '_', '$mcp', 'mcp', 'console', 'Deno', 'Promise', 'Record', 'globalThis', 'eval', 'arguments', 'Array', 'process', 'fetch',
];

const property = (word, i) => [
  { type: 'string', description: word, default: word, pattern: word, format: word, title: word },
  { enum: [word, 'other', word], default: word },
  { const: word },
  { $ref: `#/$defs/${encodeURIComponent(word.replaceAll('~', '~0').replaceAll('/', '~1'))}`, description: word },
  { type: 'object', properties: { [word]: { type: 'number', description: word } }, required: [word], additionalProperties: false },
  { type: 'object', patternProperties: { [word]: { type: 'string' } }, additionalProperties: false },
  { description: word, anyOf: [{ type: 'string' }, { const: { [word]: [word] } }] },
][i % 7];

// Every word as the name of a server, of a tool, of a property, and in all of their descriptions.
const shapes = [];
words.forEach((word, i) => {
  const schema = { type: 'object', description: word, $defs: { [word]: { type: 'object', description: word, properties: { down: { $ref: '#/$defs/x' } } }, x: { type: 'object', properties: { [word]: { $ref: '#/$defs/x' } } } },
    properties: { [word]: property(word, i), same: { type: 'number' } }, required: [word] };
  shapes.push({ server: word, serverAlias: words[(i + 1) % words.length], name: 'same', alias: word, description: word, inputSchema: schema, outputSchema: schema });
  shapes.push({ server: 'all', name: word, alias: words[(i + 3) % words.length], description: word, inputSchema: schema, outputSchema: schema });
  for (let k = 0; k < 7; k++) shapes.push({ server: 'each', name: `t${i}_${k}`, description: word, inputSchema: { ...schema, properties: { p: property(word, k), [word]: property(word, k + 1) } } });
});
shapes.push({ server: 'all', name: 'twice', inputSchema: { type: 'object' } }, { server: 'all', name: 'twice', inputSchema: { type: 'string' } });
shapes.push({ server: 'all', name: 'keys', inputText: '{"type":"object","properties":{"a":1,"a":2}}' });
shapes.push({ server: 'all', name: 'broken', inputText: '{"type":', outputText: 'nonsense' });

const keys = (type, names) => `{ type K = keyof ${type}; type Is = [K] extends [${names}] ? [${names}] extends [K] ? 1 : 0 : 0; const is: Is = 1; void is; }`;
const names = (list) => [...new Set(list)].map(literal).join('|');
for (const form of ['compact', 'full']) {
  const text = declarations(shapes, form);
  // Aliases add names; the tools are the ones that must be there.
  const probe = [
    '// @ts-expect-error', 'PWNED;',
    ...words.map((word) => `mcp[${literal(word)}].same satisfies Function;`),
    ...words.map((word) => `mcp.all[${literal(word)}] satisfies Function;`),
    ...words.map((word, i) => `mcp.all[${literal(word)}] satisfies (args: never) => Promise<{ same?: number }>;`),
    keys('typeof mcp', names([...words, 'all', 'each'])),
    keys('typeof mcp.each', names(shapes.filter((shape) => shape.server === 'each').map((shape) => shape.name))),
    keys('typeof mcp.all', names([...words, 'twice', 'keys', 'broken'])),
    'mcp.all.broken({ x: 1 }).then((r) => r.anything.at.all);',
    'mcp.all.broken.raw({ x: 1 }).then((blocks) => blocks[0].type satisfies string);',
    '// @ts-expect-error', 'mcp.each.t0_0.raw(5);', '// @ts-expect-error', 'mcp.each.t0_0.raw({ nothing: 1 });', '// @ts-expect-error', '(() => 1).raw();',
    'export {};',
  ].join('\n');
  for (const one of compile({ 'tools.d.ts': text, 'probe.ts': probe })) {
    const source = (one.file === 'probe.ts' ? probe : text).split('\n')[one.line - 1];
    expect(false, `${form}: ${one.file}(${one.line}): ${one.message}\n  ${source?.slice(0, 300)}`);
  }
}

// Names that the compiler's own library declares are not servers.
{
  const fs = await import('node:fs');
  const path = await import('node:path');
  const folder = path.join(process.argv[3], 'node_modules/@typescript/typescript-linux-x64/lib');
  const globals = new Set();
  for (const file of fs.readdirSync(folder).filter((name) => /^lib\.(es|esnext|decorators)/.test(name))) {
    for (const match of fs.readFileSync(path.join(folder, file), 'utf8').matchAll(/^declare (?:var|let|const|function|class|namespace) (\w+)/gm)) globals.add(match[1]);
  }
  expect(globals.size > 50, 'the library of TypeScript is not where it was');
  const servers = [...globals].map((server) => ({ server, name: 'x', inputSchema: { type: 'object' } }));
  for (const one of compile({ 'tools.d.ts': declarations(servers, 'compact'), 'probe.ts': 'export {};' })) expect(false, `a server's name: ${one.message}`);
}

// A single signature is the same: put back into an interface it compiles.
{
  const texts = JSON.parse(declarations(shapes, 'single'));
  const probe = texts.map((text, i) => {
    const at = text.indexOf('\nmcp') + 1;
    const call = text.slice(text.startsWith('mcp') ? 0 : at);
    const [first, ...types] = call.split('\n');
    const open = first.search(/\(args\??: /);
    return `namespace N${i} { export interface I { f${first.slice(open)} }\n${types.join('\n')} }`;
  }).join('\n') + '\nexport {};';
  for (const one of compile({ 'probe.ts': probe })) expect(false, `alone: ${one.message}\n  ${probe.split('\n')[one.line - 1].slice(0, 300)}`);
}

// Python: it parses, every name is known, and what it defines is ours.
const checker = `
import ast, builtins, sys
tree = ast.parse(sys.stdin.read())
known = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names} | set(dir(builtins))
for node in tree.body:
    if isinstance(node, ast.ClassDef): known.add(node.name)
    elif isinstance(node, ast.Assign): known.update(t.id for t in node.targets)
    elif isinstance(node, ast.AnnAssign): known.add(node.target.id)
    elif isinstance(node, ast.ImportFrom): assert node.module == 'typing', node.module
    else: sys.exit('line %d: a statement that nobody meant: %s' % (node.lineno, ast.dump(node)[:200]))
top = {n for n in known if n not in dir(builtins)}
assert 'PWNED' not in top
for node in ast.walk(tree):
    if isinstance(node, ast.AnnAssign) and isinstance(node.annotation, ast.Name) and node.annotation.id == 'TypeAlias':
        for inner in ast.walk(ast.parse(node.value.value, mode='eval')):
            if isinstance(inner, ast.Name): assert inner.id in known, inner.id
    if isinstance(node, ast.Call): assert isinstance(node.func, ast.Name) and node.func.id == 'TypedDict', ast.dump(node)[:200]
for node in tree.body:
    inside = {n.name for n in getattr(node, 'body', []) if isinstance(n, ast.FunctionDef)} | {n.target.id for n in getattr(node, 'body', []) if isinstance(n, ast.AnnAssign)}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load): assert inner.id in known or inner.id in inside, inner.id
print(len(tree.body))
`;
if (spawnSync('python3', ['--version']).status !== 0) {
  console.log('skipped: Python stubs, because there is no python3');
} else {
  const run = spawnSync('python3', ['-W', 'error::SyntaxWarning', '-W', 'error::DeprecationWarning', '-c', checker],
    { input: declarations(shapes, 'python'), encoding: 'utf8' });
  expect(run.status === 0, `the stubs are no Python: ${run.stderr}`);
}
finish();
