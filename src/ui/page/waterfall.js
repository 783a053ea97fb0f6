// @ts-check
// The spans of a trace beneath each other, each where it was in time.
import { html, useMemo, useState } from './preact.js';
import { duration } from './times.js';
import { JsonTree } from './json_tree.js';
import { Words, plain } from './words.js';

/** @typedef {import('../types/api').Span} Span */
/** @typedef {{ span: Span, depth: number }} Placed */

const kFirst = 200;

/** Parents before their children, children by their start. @param {Span[]} spans @returns {Placed[]} */
export function inOrder(spans) {
  const known = new Set(spans.map(({ id }) => id));
  /** @type {Map<string, Span[]>} */ const children = new Map();
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const parent = span.parent && known.has(span.parent) && span.parent !== span.id ? span.parent : '';
    const some = children.get(parent);
    if (some) some.push(span);
    else children.set(parent, [span]);
  }
  /** @type {Placed[]} */ const list = [];
  const add = (/** @type {string} */ parent, /** @type {number} */ depth) => {
    const own = children.get(parent) ?? [];
    children.delete(parent);
    for (const span of own) {
      list.push({ span, depth });
      add(span.id, Math.min(depth + 1, 12));
    }
  };
  add('', 0);
  for (const parent of [...children.keys()]) add(parent, 0);  // spans that are each other's parents
  return list;
}

/** @param {Span} span */
const toneOf = (span) => span.status === 'error' ? 'bad' : !span.end ? 'busy' : span.name.startsWith('approval') ? 'wait' : span.kind === 'client' ? 'call' : '';

/** @param {{ placed: Placed, from: number, whole: number }} props */
function Row({ placed: { span, depth }, from, whole }) {
  const [open, setOpen] = useState(false);
  const end = span.end ?? from + whole;
  const x = Math.min(99.5, Math.max(0, (span.start - from) / whole * 100));
  const width = Math.min(100 - x, Math.max(0.5, (end - span.start) / whole * 100));
  return html`<li>
    <button type="button" class="span" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <span class=${`span-name clip depth-${depth}`}><${Words} text=${span.name} most=${120} /></span>
      <span class="span-time">${duration((end - span.start) / 1000)}</span>
      <svg class="span-bar" width="100%" height="12" aria-hidden="true">
        <rect class="lane" x="0" y="5" width="100%" height="1" />
        <rect class=${`piece ${toneOf(span)}`} x=${`${x}%`} y="1" width=${`${width}%`} height="10" rx="2" /></svg>
    </button>
    ${open && html`<div class="span-more">${span.message && html`<p class="warn"><${Words} text=${span.message} /></p>`}
      <p class="quiet">begins ${duration((span.start - from) / 1000)} after the run${span.end ? '' : ', has not ended'}
        ${span.status ? `, ${plain(span.status, 10)}` : ''}</p>
      ${span.attributes && html`<${JsonTree} value=${span.attributes} />`}</div>`}
  </li>`;
}

/** @param {{ spans: Span[] }} props */
export function Waterfall({ spans }) {
  const [most, setMost] = useState(kFirst);
  const placed = useMemo(() => inOrder(spans), [spans]);
  const from = Math.min(...spans.map(({ start }) => start));
  const whole = Math.max(1, Math.max(...spans.map(({ start, end }) => end ?? start)) - from);
  return html`<ul class="waterfall" aria-label="Spans">
    ${placed.slice(0, most).map((one) => html`<${Row} key=${one.span.id} placed=${one} from=${from} whole=${whole} />`)}
    ${placed.length > most && html`<li><button type="button" class="link"
        onClick=${() => setMost(placed.length)}>Show the other ${placed.length - most} spans</button></li>`}
  </ul>`;
}
