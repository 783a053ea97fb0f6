// Checks the blanking of types against amaro: whatever it claims must be amaro's text, character for character.
//   compare.mjs TYPE_PARSER AMARO_DIST [FILE...]
// Without files: the programs of claimed.txt and declined.txt, as they are and with small mistakes inserted.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Script } from 'node:vm';

const [type_parser, amaro, ...files] = process.argv.slice(2);
const { transformSync } = createRequire(import.meta.url)(resolve(amaro, 'index.js'));

const host = { internal: {}, functions: {} };
new Function('host', 'primordials', readFileSync(type_parser, 'utf8'))(host, {});
const { try_blanking } = host.internal;

const strip = (source) => {
  try {
    return { text: transformSync(source, { mode: 'strip-only', module: true }).code };
  } catch (error) {
    return { error: `${error.code}: ${error.message}` };
  }
};
// As src/guest/source.cc does.
const wrap = (code) => `"use strict";(async()=>{\n${code}\n})`;
const compiles = (text) => {
  try {
    new Script(text);
    return true;
  } catch {
    return false;
  }
};

// [{ name, code }]. A word in braces after the name says what to do with the text.
const text_in = (file) => readFileSync(new URL(file, import.meta.url), 'utf8');
const programs_in = (file) => text_in(file).split(/^=== /m).slice(1).map((part) => {
  const [title, ...lines] = part.split('\n');
  const [, name, how] = /^(.*?)(?: \{(\w+)\})?$/.exec(title);
  let code = lines.join('\n');
  if (how === 'crlf') code = code.replaceAll('\n', '\r\n');
  if (how === 'separators') code = code.replaceAll('\n', '\u2028');
  if (how === 'surrogates') code = code.replaceAll('b', '\ud83d');
  return { name, code };
});

let failures = 0;
const fail = (name, source, what) => {
  failures++;
  if (failures <= 20) console.log(`${name}: ${what}\n${source}\n`);
};

const counts = { programs: 0, claimed: 0, equal: 0, declined: 0, refused_by_both: 0 };
// True if the claim, if there is one, is amaro's text or does not matter because V8 rejects it.
const check = (name, source) => {
  counts.programs++;
  const { text, reason } = try_blanking(source);
  if (reason !== undefined) {
    counts.declined++;
    return reason;
  }
  counts.claimed++;
  const expected = strip(source);
  if (text === expected.text) {
    counts.equal++;
  } else if (!compiles(text)) {
    counts.refused_by_both++;
  } else {
    fail(name, source, expected.error ?? `amaro has\n${expected.text}\nand not\n${text}`);
  }
  return undefined;
};

// A fixed seed: the same numbers in every run.
let seed = 1;
const random = (below) => {
  seed = Math.imul(seed, 1664525) + 1013904223 | 0;
  return (seed >>> 8) % below;
};
const pieces_of = (code) => code.match(/[\p{L}\p{N}_$]+|\s+|\/\*.*?\*\/|=>|\?\.|[^\s]/gsu) ?? [];
const strays = ['<', '>', '(', ')', '{', '}', '[', ']', ':', ';', ',', '?', '!', '=', '=>', '.', '|', '&', '\n', '`',
  '/', '...', '*', '1', "'s'", 'x', '/* c */', 'this', ' as any', ' as const', ' satisfies A', ': any', '<T>', '?: A',
  '!', ' type ', ' interface ', ' declare ', ' abstract ', ' readonly ', ' private ', ' static ', ' async ', ' get ', ' is ',
  ' keyof ', ' extends ', ' infer ', ' in ', ' of '];
const with_mistake = (pieces) => {
  const copy = [...pieces];
  const at = random(copy.length);
  switch (random(5)) {
    case 0: copy.splice(at, 1); break;
    case 1: copy.splice(at, 0, copy[random(copy.length)]); break;
    case 2: copy.splice(at, 0, strays[random(strays.length)]); break;
    case 3: copy[at] = strays[random(strays.length)]; break;
    default: [copy[at], copy[at + 1]] = [copy[at + 1] ?? '', copy[at]];
  }
  return copy;
};

// Input that doubles the work of a careless parser with each level. One that does not stop in time never ends.
const nested = (before, middle, after, depth) => before.repeat(depth) + middle + after.repeat(depth);
const bombs = [60, 5000].flatMap((depth) => [
  nested('(a = ', '1', ') => a', depth),
  nested('async (a = ', '1', ') => a', depth),
  nested('<T>(a: T = ', '1', ') => a', depth),
  nested('a ? (b) : (', 'c', ') => d', depth),
  nested('a<', 'b', '>(c)', depth),
  nested('a < (', 'b', ')', depth),
  `let a: ${nested('b<', 'c', '>', depth)}`,
  `let a: ${nested('(b: ', 'c', ') => d', depth)}`,
  `type A = ${nested('B extends (infer C extends ', 'D', ' ? 1 : 2) ? 1 : 2', depth)}`,
  `type A = ${nested('{ a: ', 'b', ' }', depth)}`,
  nested('[', '1 as any', ']', depth),
]);

if (files.length > 0) {
  for (const file of files) check(file, wrap(readFileSync(file, 'utf8')));
} else {
  const claimed = programs_in('claimed.txt'), declined = programs_in('declined.txt');
  for (const { name, code } of claimed) {
    const reason = check(name, wrap(code));
    if (reason !== undefined) fail(name, code, `is declined: ${reason}`);
    const { error } = strip(wrap(code));
    if (error) fail(name, code, error);
    // Line by line as well: more beginnings and ends, and no other code around them.
    for (const line of code.split('\n')) check(name, wrap(line));
  }
  for (const { name, code } of declined) {
    if (check(name, wrap(code)) === undefined) fail(name, code, 'is claimed');
  }
  for (const bomb of bombs) check('bomb', wrap(bomb));
  const rounds = Number(process.env.GLOVEBOX_MISTAKES ?? 20);
  for (const { name, code } of [...claimed, ...declined]) {
    for (const text of [code, ...code.split('\n')]) {
      let pieces = pieces_of(text);
      if (pieces.length === 0) continue;
      for (let round = 0; round < rounds; round++) {
        check(name, wrap(with_mistake(random(2) ? pieces : with_mistake(pieces)).join('')));
      }
    }
  }
}
console.log(JSON.stringify(counts));
if (failures > 0) {
  console.log(`${failures} failures`);
  process.exit(1);
}
