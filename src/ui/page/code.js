// @ts-check
// Code with numbered lines. Those that ask are marked; of long code the lines around them are shown first.
import { html, useMemo, useState } from './preact.js';
import { Lines, size } from './words.js';

const kMostColumns = 400;
const kMostAsking = 50;

/** @typedef {{ text: string, number: number }} Line */
/** @typedef {{ lines: Line[], count: number, isWide: boolean }} Read */

/** The lines that are wanted, of code that may have millions. @param {string} code @param {(number: number) => boolean} isWanted @param {number} most @returns {Read} */
function linesOf(code, isWanted, most) {
  /** @type {Line[]} */ const lines = [];
  let [number, from, isWide] = [0, 0, false];
  for (const last = code.endsWith('\n') ? code.length - 1 : code.length; from <= last; ) {
    const found = code.indexOf('\n', from);
    const end = found < 0 || found > last ? last : found;
    isWide ||= end - from > kMostColumns;
    if (isWanted(++number)) lines.push({ number, text: end - from > most ? `${code.slice(from, from + most)}…` : code.slice(from, end) });
    from = end + 1;
  }
  return { lines, count: number, isWide };
}

/** Those around the ones that ask, or the first. @param {number[]} asking @param {number} most */
function near(asking, most) {
  const around = Math.floor(most / 4);
  /** @type {Set<number>} */ const numbers = new Set();
  for (const line of asking) for (let n = line - around; n <= line + around; ++n) numbers.add(n);
  return (/** @type {number} */ n) => numbers.size ? numbers.has(n) : n <= most;
}

/** @param {{ count: number }} props */
const Gap = ({ count }) => count > 0 ? html`<span class="line gap">${`⋯ ${count} lines\n`}</span>` : null;

/** @param {{ line: Line, asks: boolean }} props */
function Numbered({ line: { text, number }, asks }) {
  return html`<span class=${asks ? 'line asks' : 'line'}><span class="number">${number}</span>
    ${asks && html`<span class="spoken">asks here: </span>`}<${Lines} text=${text} />${'\n'}</span>`;
}

/** @param {{ code: string, asking?: number[], label?: string, most?: number }} props */
export function Code({ code, asking = [], label = 'Code', most = 28 }) {
  const [open, setOpen] = useState(false);
  const { count, isWide } = useMemo(() => linesOf(code, () => false, 0), [code]);
  const marked = asking.filter((line) => line >= 1 && line <= count).slice(0, kMostAsking);
  const isLong = count > most || isWide;
  const shown = useMemo(() => open || count <= most ? linesOf(code, () => true, open ? code.length : kMostColumns).lines
    : linesOf(code, near(marked, most), kMostColumns).lines, [code, open, marked.join(), most]);
  return html`<div class="folded">
    <pre class="block code" tabindex="0" role="group" aria-label=${label}>
      ${shown.map((line, i) => html`<${Gap} count=${line.number - (shown[i - 1]?.number ?? 0) - 1} />
        <${Numbered} line=${line} asks=${marked.includes(line.number)} />`)}
      <${Gap} count=${count - (shown.at(-1)?.number ?? 0)} /></pre>
    ${isLong && html`<button type="button" class="link" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      ${open ? 'Show less' : `Show all: ${count} lines, ${size(code.length)}`}</button>`}
  </div>`;
}
