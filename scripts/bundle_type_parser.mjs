// Makes one prelude file of sucrase's parser at configure time: the CommonJS files that parse TypeScript, without comments
// and without the parts for Flow and JSX, which are never called. A cold process pays for each place that looks something
// up, so names of constants become numbers and calls go the straight way.
//   bundle_type_parser.mjs SUCRASE_DIST OUT_JS
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const [dist, out] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const { parse } = require(join(dist, 'parser/index.js'));

const entry = 'parser/index';
const left_out = new Set(['parser/plugins/flow', 'parser/plugins/jsx/index']);
const constants = new Map([['TokenType', 'parser/tokenizer/types'], ['ContextualKeyword', 'parser/tokenizer/keywords'],
  ['charCodes', 'parser/util/charcodes']].map(([name, module]) => [name, { module, values: require(join(dist, `${module}.js`))[name] }]));

const complain = (what) => {
  console.error(`${dist}: ${what}; look at what changed in sucrase`);
  process.exit(1);
};

// Line breaks stay, since a statement may end at one.
const without_comments = (text) => {
  let result = '', end = 0;
  for (const token of parse(text, false, false, false).tokens) {
    const gap = text.slice(end, token.start);
    result += gap.includes('\n') ? '\n' : gap === '' ? '' : ' ';
    result += text.slice(token.start, token.end);
    end = token.end;
  }
  return result;
};

const with_numbers = (text) => text.replace(/\b_\w+\.(TokenType|ContextualKeyword|charCodes)\.(\w+)/g, (_, name, member) => {
  const value = constants.get(name).values[member];
  return typeof value === 'number' ? `${value}` : complain(`${name} has no ${member}`);
});
// `_index.next.call(void 0, )`: no function of the parser asks for `this`.
const with_plain_calls = (text) => text.replace(/\b(_\w+\.\w+)\.call\(void 0, /g, '$1(');

const modules = new Map();
const add = (name) => {
  if (modules.has(name)) return;
  modules.set(name, '');
  if (left_out.has(name)) return;
  const text = without_comments(readFileSync(join(dist, `${name}.js`), 'utf8'));
  modules.set(name, with_plain_calls(with_numbers(text)).replace(/\brequire\('(\.[^']*)'\)/g, (_, path) => {
    let wanted = posix.join(posix.dirname(name), path);
    if (wanted === 'parser/tokenizer' || wanted === 'parser/plugins/jsx') wanted += '/index';
    add(wanted);
    return `require('${wanted}')`;
  }));
};
add(entry);
for (const name of left_out) if (!modules.has(name)) complain(`nobody asks for ${name}`);
// The numbers again, for who uses the parser. What tells their names is for messages that nobody sees.
for (const [name, { module, values }] of constants) {
  const members = Object.entries(values).filter(([, value]) => typeof value === 'number');
  const list = members.map(([member, value]) => `${member}: ${value}`).join(', ');
  modules.set(module, `exports.${name} = { ${list} }; exports.formatTokenType = String;`);
}

const bodies = [...modules].map(([name, text]) => `'${name}': (exports, require) => {${text}}`);
writeFileSync(out, `'use strict';
let modules = { __proto__: null, ${bodies.join(',\n')} };
const loaded = { __proto__: null };
const load = (name) => {
  if (loaded[name] === undefined) {
    loaded[name] = {};
    modules[name](loaded[name], load);
  }
  return loaded[name];
};
load('${entry}');
// What has run once need not be kept.
modules = null;
host.internal.type_parser = load;
`);
