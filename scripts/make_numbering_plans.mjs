// Makes tables of how the regions of the world write telephone numbers, from the metadata of libphonenumber as
// libphonenumber-js carries them: calling codes with the lengths behind them, and national groupings such as 0171 2340895
// with the first digits that they may have.
//   make_numbering_plans.mjs METADATA_JSON OUT_CC
import { readFileSync, writeFileSync } from 'node:fs';

const [input, output] = process.argv.slice(2);
const metadata = JSON.parse(readFileSync(input, 'utf8'));
const FEWEST = 7, MOST = 15;

function fail(why) {
  console.error(`${input} is not as expected; look at what changed in libphonenumber-js: ${why}`);
  process.exit(1);
}
if (metadata.version !== 4) fail(`version ${metadata.version}`);

// "\d{2}[2-9]\d{3,4}" → [least, most] digits.
function digits_in(group) {
  let least = 0, most = 0;
  const left = group.replace(/(?:\\d|\[[^\]]*\]|\d)(?:\{(\d+)(?:,(\d+))?\})?/g, (_, from = '1', to = from) => {
    least += Number(from);
    most += Number(to);
    return '';
  });
  if (left) fail(`a group ${group}`);
  return [least, most];
}

// "(\d{2})(\d{3,4})" → [[2, 3], [2, 4]]
function groupings_of(pattern) {
  const groups = [...pattern.matchAll(/\(([^()]*)\)/g)].map(([, group]) => digits_in(group));
  return groups.reduce((all, [least, most]) =>
    all.flatMap((sizes) => Array.from({ length: most - least + 1 }, (_, more) => [...sizes, least + more])), [[]]);
}

// As it is written: "0$1 $2" → groups of digits. What is not a digit, a bracket or a place of a group separates.
function written(template, sizes) {
  const text = template.replace(/\$(\d)/g, (_, n) => '#'.repeat(sizes[n - 1]));
  return text.split(/[^#\d]+/).filter(Boolean);
}

const PREFIXES = Array.from({ length: 10000 }, (_, n) => String(n).padStart(4, '0'));  // no plan examines more
const masks = new Map();  // by sizes: which first two digits there are
function add(groups, prefixes) {
  const sizes = groups.map((group) => group.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (groups.length < 2 || groups.length > 8 || total < FEWEST || total > MOST) return;
  const key = BigInt('0x' + sizes.map((size) => size.toString(16)).join(''));
  const whole = groups.join('');
  let mask = masks.get(key) ?? 0n;
  for (const prefix of prefixes) {
    let next = 0;
    const first = whole.slice(0, 2).replace(/#/g, () => prefix[next++]);
    mask |= 1n << BigInt(first);
  }
  masks.set(key, mask);
}

const codes = new Map();
for (const region of Object.values(metadata.countries)) {
  const [code, , pattern, lengths, formats, trunk] = region;
  codes.set(code, (lengths ?? []).reduce((bits, length) => bits | 1 << length, codes.get(code) ?? 0));
  for (const [groups, format, leading, rule, optional] of formats || []) {
    const lead = new RegExp(`^(?:${leading?.length ? leading[leading.length - 1] : pattern})`);
    const prefixes = new Set(PREFIXES.filter((prefix) => lead.test(prefix + '0'.repeat(MOST))).map((prefix) => prefix.slice(0, 2)));
    for (const sizes of groupings_of(groups)) {
      const prefixed = rule ? format.replace('$1', rule) : format;
      add(written(prefixed, sizes), prefixes);
      if (!rule || optional) add(written(format, sizes), prefixes);
      if (!rule && trunk) add(written(format.replace('$1', `${trunk}$1`), sizes), prefixes);
    }
  }
}
for (const { 0: code, 3: lengths } of Object.values(metadata.nonGeographic))
  codes.set(code, (lengths ?? []).reduce((bits, length) => bits | 1 << length, codes.get(code) ?? 0));
if (codes.size < 200 || masks.size < 100) fail('too few regions');

const sorted = [...masks].sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(output, `// Made by scripts/make_numbering_plans.mjs.
#include "privacy/rules/numbering_plans.h"

namespace glovebox::privacy {

const std::array<CallingCode, ${codes.size}> kCallingCodeTable = {{
${[...codes].sort(([a], [b]) => a - b).map(([code, lengths]) => `    {${code}, 0x${lengths.toString(16)}},`).join('\n')}
}};
const std::array<Grouping, ${sorted.length}> kGroupingTable = {{
${sorted.map(([sizes, mask]) => `    {0x${sizes.toString(16)}u, {0x${(mask & (1n << 64n) - 1n).toString(16)}u, 0x${(mask >> 64n).toString(16)}u}},`).join('\n')}
}};
const std::span<const CallingCode> kCallingCodes = kCallingCodeTable;
const std::span<const Grouping> kGroupings = kGroupingTable;

}  // namespace glovebox::privacy
`);
