// Makes a prelude file of web-streams-polyfill at configure time. The library keeps its internal slots in properties
// with names like `_state`. Their names become private symbols here, so that a subclass may have a `_state` of its own,
// and the slots do not show in Object.keys, in a log or in a result.
//   make_streams_prelude.mjs PONYFILL_JS OUT_JS
import { readFileSync, writeFileSync } from 'node:fs';

const [input, output] = process.argv.slice(2);
const text = readFileSync(input, 'utf8');

// Identifiers that the minifier made are shorter.
const slot = '_([A-Za-z]\\w{2,})';
const slots = new Set();
// Private symbols are not looked up in prototypes, so the library's internal methods, which no stream shows, have
// others.
const methods = new Set(Array.from(text.matchAll(new RegExp(`[{},;]${slot}\\(`, 'g')), ([, name]) => name));
const symbol = (name) => {
  slots.add(name);
  return `$$${name}`;
};
const rewritten = text
  .replace(new RegExp(`(\\?)?\\.${slot}`, 'g'), (_, optional, name) => `${optional ? '?.' : ''}[${symbol(name)}]`)
  .replace(new RegExp(`([{},;])${slot}(?=[:(])`, 'g'), (_, before, name) => `${before}[${symbol(name)}]`)
  .replace(new RegExp(`"${slot}"`, 'g'), (_, name) => symbol(name));

const left = new RegExp(`[^\\w$]${slot}`).exec(rewritten);
if (left || slots.size === 0 || !text.includes('"object"==typeof exports&&"undefined"!=typeof module')) {
  console.error(`${input} is not as expected; look at what changed in web-streams-polyfill`, left?.[0]);
  process.exit(1);
}

const names = [...slots];
writeFileSync(output, `'use strict';
const ${names.map((name) => `$$${name} = ${methods.has(name) ? 'Symbol' : 'host.private_symbol'}('${name}')`).join(', ')};
const exports = { __proto__: null }, module = null;
${rewritten}
host.internal.streams_library = exports;
host.internal.stream_slots = { __proto__: null, ${names.map((name) => `${name}: $$${name}`).join(', ')} };
`);
