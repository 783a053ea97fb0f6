// @ts-check
// Words of others: agents, guests, tools and servers. They are text nodes, always, and what cannot be seen in them is
// made visible, so that a text is what it looks like.
import { html, useMemo, useState } from './preact.js';

// Controls, formats (zero width, direction, tags), line separators, halves of characters, and all that Unicode says is
// not drawn: fillers, variation selectors, what is not assigned among them.
const kOdd = '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}]';
const kOddInLine = new RegExp(kOdd, 'gu');
const kOddInText = new RegExp(`(?![\\n\\t])${kOdd}`, 'gu');

/** @type {Record<string, string>} */
const kNames = {
  '000A': 'a line break', '000D': 'a carriage return', '0009': 'a tab', '001B': 'escape, which controls terminals', '200B': 'a zero-width space',
  '200C': 'a zero-width non-joiner', '200D': 'a zero-width joiner', '200E': 'left-to-right mark', '200F': 'right-to-left mark', '202A': 'left-to-right embedding', '202B': 'right-to-left embedding',
  '202C': 'end of an embedding or override', '202D': 'left-to-right override', '202E': 'right-to-left override: it reverses what follows',
  '2066': 'left-to-right isolate', '2067': 'right-to-left isolate', '2068': 'isolate', '2069': 'end of an isolate', 'FEFF': 'a byte order mark', '00AD': 'a soft hyphen',
};
/** @param {string} character */
const hex = (character) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** For attributes, drawings and notifications. @param {unknown} text @param {number} [most] */
export function plain(text, most = 300) {
  const all = String(text ?? '');
  const shown = all.slice(0, most).replace(kOddInLine, (character) => `[U+${hex(character)}]`);
  return all.length > most ? `${shown}…` : shown;
}

// A text of nothing but such characters must not hold up the page.
const kMostMarks = 500;

/** @param {string} text @param {RegExp} odd */
function pieces(text, odd) {
  const list = [];
  let from = 0;
  for (const found of text.matchAll(odd)) {
    if (list.length >= 2 * kMostMarks) break;
    list.push(text.slice(from, found.index));
    const code = hex(found[0]);
    list.push(html`<span class="mark" title=${kNames[code] ?? 'an invisible character'}>U+${code}</span>`);
    from = found.index + found[0].length;
  }
  list.push(text.slice(from).replace(odd, (character) => `[U+${hex(character)}]`));
  return list;
}

/** One line of untrusted text. @param {{ text: unknown, most?: number }} props */
export function Words({ text, most = 2000 }) {
  const all = String(text ?? '');
  return html`<bdi class="words">${pieces(all.slice(0, most), kOddInLine)}${all.length > most ? '…' : ''}</bdi>`;
}

/** The lines of a text, all of it. @param {{ text: string }} props */
export function Lines({ text }) {
  return html`<bdi class="lines">${pieces(text.replaceAll('\r\n', '\n'), kOddInText)}</bdi>`;
}

/** @param {number} bytes */
export const size = (bytes) =>
  bytes < 1024 ? `${bytes} B` : bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** How much of a text is shown before all of it is asked for. @param {string} text @param {number} lines */
function beginning(text, lines) {
  let end = -1;
  for (let i = 0; i < lines; ++i) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) break;
  }
  return text.slice(0, Math.min(end < 0 ? text.length : end, lines * 160));
}

/** @param {string} text */
function linesIn(text) {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ++count;
  return count;
}

/** The last lines of a text that grows. @param {string} text @param {number} lines */
const ending = (text, lines) => text.split('\n').slice(-lines).join('\n').slice(-lines * 160);

/** A text whose rest is shown on demand. @param {{ text: string, lines?: number, label: string, fromEnd?: boolean }} props */
export function Folded({ text, lines = 12, label, fromEnd = false }) {
  const [open, setOpen] = useState(false);
  const start = fromEnd ? ending(text, lines) : beginning(text, lines);
  const isLong = start.length < text.length;
  const count = useMemo(() => isLong ? linesIn(text) : 0, [text, isLong]);
  return html`<div class="folded">
    <pre class="block" tabindex="0" role="group" aria-label=${label}>${isLong && !open && fromEnd ? '…\n' : ''}<${Lines} text=${open ? text : start} />
      ${isLong && !open && !fromEnd ? '…' : ''}</pre>
    ${isLong && html`<button type="button" class="link" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      ${open ? 'Show less' : `Show all: ${count > 1 ? `${count} lines, ` : ''}${size(text.length)}`}</button>`}
  </div>`;
}
