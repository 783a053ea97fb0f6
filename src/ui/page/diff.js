// @ts-check
// What a text would become: lines that go and lines that come, found by their longest common sequence.
import { html, useMemo, useState } from './preact.js';
import { Lines } from './words.js';

const kMostCells = 4_000_000;  // beyond that all goes and all comes: a comparison would hold up the page
const kAround = 3;
const kFirst = 60;
const kMostColumns = 1000;

/** @typedef {{ kind: 'same' | 'gone' | 'new', text: string }} Line */

/** @param {string[]} a @param {string[]} b @returns {Line[]} */
function compare(a, b) {
  const width = b.length + 1;
  const length = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1; j >= 0; --j) {
      length[i * width + j] = a[i] === b[j] ? length[(i + 1) * width + j + 1] + 1
        : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  /** @type {Line[]} */ const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i++] });
      ++j;
    } else if (i < a.length && (j === b.length || length[(i + 1) * width + j] >= length[i * width + j + 1])) {
      lines.push({ kind: 'gone', text: a[i++] });
    } else {
      lines.push({ kind: 'new', text: b[j++] });
    }
  }
  return lines;
}

/** @param {string} before @param {string} after @returns {Line[]} */
export function diffOf(before, after) {
  const [a, b] = [before.split('\n'), after.split('\n')];
  if (a.length * b.length <= kMostCells) return compare(a, b);
  return [.../** @type {Line[]} */ (a.map((text) => ({ kind: 'gone', text }))), .../** @type {Line[]} */ (b.map((text) => ({ kind: 'new', text })))];
}

/** Same lines far from any change are left out: until all are asked for. @param {Line[]} lines @returns {(Line | null)[]} */
function near(lines) {
  const changed = lines.map(({ kind }) => kind !== 'same');
  /** @type {(Line | null)[]} */ const kept = [];
  lines.forEach((line, i) => {
    const isNear = changed.slice(Math.max(0, i - kAround), i + kAround + 1).some(Boolean);
    if (isNear) kept.push(line);
    else if (kept.at(-1) !== null) kept.push(null);
  });
  return kept;
}

const kSigns = { same: ' ', gone: '−', new: '+' };
const kSpoken = { same: '', gone: 'removed: ', new: 'added: ' };

/** @param {{ before: string, after: string, label: string }} props */
export function Diff({ before, after, label }) {
  const lines = useMemo(() => diffOf(before, after), [before, after]);
  const changed = useMemo(() => near(lines), [lines]);
  const [all, setAll] = useState(false);
  /** @type {(Line | null)[]} */ const shown = all ? lines : changed.slice(0, kFirst);
  const isLong = changed.length > kFirst || shown.some((line) => line === null || line.text.length > kMostColumns);
  return html`<div class="folded"><pre class="block diff" tabindex="0" role="group" aria-label=${label}>
    ${shown.map((line) => line
    ? html`<span class=${`line ${line.kind}`}><span class="sign" aria-hidden="true">${kSigns[line.kind]}</span>
      <span class="spoken">${kSpoken[line.kind]}</span><${Lines} text=${all ? line.text : line.text.slice(0, kMostColumns)} />${'\n'}</span>`
    : html`<span class="line gap">${'⋯\n'}</span>`)}</pre>
    ${!all && isLong && html`<button type="button" class="link"
        onClick=${() => setAll(true)}>Show all: ${lines.length} lines</button>`}
  </div>`;
}

const kPair = /^old(_?(?:text|str|string|content|contents|value|source|code))?$/i;

/** Both sides of an edit among arguments, wherever they are: { oldText, newText }, { old_string, new_string }, …
 * @param {import('../types/api').Json} value @param {number} [depth] @returns {{ name: string, before: string, after: string }[]} */
export function editsIn(value, depth = 0) {
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  if (Array.isArray(value)) return value.slice(0, 50).flatMap((one) => editsIn(one, depth + 1));
  const edits = Object.entries(value).flatMap(([key, before]) => {
    const other = kPair.test(key) ? key.replace(/^old/i, (old) => old === 'OLD' ? 'NEW' : old[0] === 'O' ? 'New' : 'new') : '';
    const after = other ? value[other] : null;
    return typeof before === 'string' && typeof after === 'string' ? [{ name: `${key} → ${other}`, before, after }] : [];
  });
  return [...edits, ...Object.values(value).flatMap((one) => editsIn(one, depth + 1))];
}
