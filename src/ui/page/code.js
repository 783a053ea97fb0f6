// @ts-check
// Code with numbered lines. Those that ask are marked; of long code the lines around them are shown first.
import { html, useState } from './preact.js';
import { Lines, size } from './words.js';

const kMostColumns = 400;
const kMostAsking = 50;

/** @typedef {{ text: string, number: number }} Line */

/** @param {Line[]} lines @param {Set<number>} asking @param {number} most @returns {Line[]} */
function folded(lines, asking, most) {
  const around = Math.floor(most / 4);
  const isNear = (/** @type {number} */ n) => [...asking].some((line) => Math.abs(line - n) <= around);
  const kept = lines.length <= most ? lines : lines.filter(({ number }) => asking.size ? isNear(number) : number <= most);
  return kept.map(({ text, number }) => ({ number, text: text.length > kMostColumns ? `${text.slice(0, kMostColumns)}…` : text }));
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
  const lines = code.replace(/\n$/, '').split('\n').map((text, i) => ({ text, number: i + 1 }));
  const marked = new Set(asking.filter((line) => line >= 1 && line <= lines.length).slice(0, kMostAsking));
  const isLong = lines.length > most || lines.some(({ text }) => text.length > kMostColumns);
  const shown = isLong && !open ? folded(lines, marked, most) : lines;
  return html`<div class="folded">
    <pre class="block code" tabindex="0" role="group" aria-label=${label}>
      ${shown.map((line, i) => html`<${Gap} count=${line.number - (shown[i - 1]?.number ?? 0) - 1} />
        <${Numbered} line=${line} asks=${marked.has(line.number)} />`)}
      <${Gap} count=${lines.length - (shown.at(-1)?.number ?? 0)} /></pre>
    ${isLong && html`<button type="button" class="link" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      ${open ? 'Show less' : `Show all: ${lines.length} lines, ${size(code.length)}`}</button>`}
  </div>`;
}
