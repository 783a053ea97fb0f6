// Checks the blanking of types against amaro: whatever is claimed, by the parser or by the text alone, must be amaro's
// text, character for character.
//   compare.mjs TYPE_PARSER AMARO_DIST PLAIN_BLANKER [FILE...]
// Without files: the programs of claimed.txt and declined.txt, as they are and with small mistakes inserted.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Script } from 'node:vm';

const [type_parser, amaro, plain_blanker, ...files] = process.argv.slice(2);
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

const counts = { programs: 0, claimed: 0, equal: 0, declined: 0, refused_by_both: 0, plain: 0, plain_equal: 0 };
// True if the claim is amaro's text; it does not matter if V8 rejects it.
const is_amaros = (name, source, text) => {
  const expected = strip(source);
  if (text === expected.text) return true;
  if (compiles(text)) fail(name, source, expected.error ?? `amaro has\n${expected.text}\nand not\n${text}`);
  else counts.refused_by_both++;
  return false;
};

const checked = [];
const check = (name, code) => {
  counts.programs++;
  checked.push({ name, code });
  const { text, reason } = try_blanking(wrap(code));
  if (reason !== undefined) {
    counts.declined++;
    return reason;
  }
  counts.claimed++;
  if (is_amaros(name, wrap(code), text)) counts.equal++;
  return undefined;
};

// The same programs, by their text alone: in one process, since there are many.
const check_plain = () => {
  const input = checked.map(({ code }) => `${code}\0`).join('');
  const { status, stdout } = spawnSync(plain_blanker, { input, maxBuffer: 2 ** 30, encoding: 'utf8' });
  const answers = stdout.split('\0');
  if (status !== 0 || answers.length !== checked.length + 1) throw new Error(`${plain_blanker} ended with ${status}`);
  checked.forEach(({ name, code }, i) => {
    // What is not changed was tried before, as JavaScript. Bombs are there to be answered at all.
    if (answers[i] === '' || answers[i] === `=${code}` || name === 'bomb') return;
    counts.plain++;
    if (is_amaros(`${name}, by its text`, wrap(code), wrap(answers[i].slice(1)))) counts.plain_equal++;
  });
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
  for (const file of files) check(file, readFileSync(file, 'utf8'));
} else {
  const claimed = programs_in('claimed.txt'), declined = programs_in('declined.txt');
  for (const { name, code } of claimed) {
    const reason = check(name, code);
    if (reason !== undefined) fail(name, code, `is declined: ${reason}`);
    const { error } = strip(wrap(code));
    if (error) fail(name, code, error);
    // Line by line as well: more beginnings and ends, and no other code around them.
    for (const line of code.split('\n')) check(name, line);
  }
  for (const { name, code } of declined) {
    if (check(name, code) === undefined) fail(name, code, 'is claimed');
  }
  for (const bomb of bombs) check('bomb', bomb);
  const rounds = Number(process.env.GLOVEBOX_MISTAKES ?? 20);
  for (const { name, code } of [...claimed, ...declined]) {
    for (const text of [code, ...code.split('\n')]) {
      let pieces = pieces_of(text);
      if (pieces.length === 0) continue;
      for (let round = 0; round < rounds; round++) {
        check(name, with_mistake(random(2) ? pieces : with_mistake(pieces)).join(''));
      }
    }
  }
}
check_plain();
console.log(JSON.stringify(counts));
if (failures > 0) {
  console.log(`${failures} failures`);
  process.exit(1);
}
