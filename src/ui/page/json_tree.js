// @ts-check
// A JSON value as a tree. A branch is drawn when it is opened, so that a large or deep value costs nothing before.
import { html, useState } from './preact.js';
import { Folded, Words, size } from './words.js';

/** @typedef {import('../types/api').Json} Json */

const kShort = 120;
const kMostMembers = 100;

/** Without a list of the indexes of a list, which may have millions. @param {object} value */
const countOf = (value) => Array.isArray(value) ? value.length : Object.keys(value).length;
/** @param {object} value @param {number} most @returns {[string, Json][]} */
const firstOf = (value, most) => Array.isArray(value) ? value.slice(0, most).map((one, i) => [String(i), one])
  : Object.keys(value).slice(0, most).map((key) => [key, /** @type {Record<string, Json>} */ (value)[key]]);
/** @param {Json} value */
const isBranch = (value) => typeof value === 'object' && value !== null && countOf(value) > 0;
/** A few short values stand in one line.
 * @param {Json} value
 * @returns {value is (string | number | boolean | null)[]} */
const isShortList = (value) => Array.isArray(value) && value.length > 0 && value.length <= 8 &&
  value.every((one) => (typeof one !== 'object' || one === null) && !isLong(String(one))) && JSON.stringify(value).length <= kShort;
/** @param {string} text */
const isLong = (text) => text.length > kShort || text.includes('\n');

/** A quote within a text is not taken for its end. @param {string} text */
const quoted = (text) => text.replace(/["\\]/g, '\\$&');

/** @param {Json} value */
function summary(value) {
  const count = countOf(/** @type {object} */ (value));
  const what = Array.isArray(value) ? (count === 1 ? 'item' : 'items') : (count === 1 ? 'member' : 'members');
  return `${count} ${what}`;
}

/** @param {{ value: Json, name: string, elsewhere: string[] }} props */
function Leaf({ value, name, elsewhere }) {
  if (typeof value === 'string' && isLong(value) && elsewhere.includes(value)) return html`<span
      class="json-kind">text, ${size(value.length)}: shown above</span>`;
  if (typeof value === 'string') {
    return isLong(value)
      ? html`<span class="json-kind">text, ${size(value.length)}</span>
        <${Folded} text=${value} label=${`Text of ${name || 'the value'}`} />`
      : html`<span class="json-text">"<${Words} text=${quoted(value)} />"</span>`;
  }
  const text = typeof value === 'object' && value !== null ? (Array.isArray(value) ? '[ ]' : '{ }') : String(value);
  return html`<span class="json-other">${text}</span>`;
}

/** @param {{ name: string, value: Json, open: number, elsewhere: string[] }} props */
function Member({ name, value, open, elsewhere }) {
  const [isOpen, setOpen] = useState(open > 0);
  const key = html`<span class="json-key">${isLong(name) ? html`<${Folded} text=${name} lines=${2} label="A long name" />`
    : html`<${Words} text=${name} />`}</span>`;
  const leaf = (/** @type {Json} */ one) => html`<${Leaf} value=${one} name=${name} elsewhere=${elsewhere} />`;
  if (isShortList(value)) return html`<li>${key} [${value.map((one, i) => html`${i > 0 && ', '}${leaf(one)}`)}]</li>`;
  if (!isBranch(value)) return html`<li>${key} ${leaf(value)}</li>`;
  return html`<li><details open=${isOpen} onToggle=${(/** @type {any} */ event) => setOpen(event.currentTarget.open)}>
    <summary>${key} <span class="json-kind">${summary(value)}</span></summary>
    ${isOpen && html`<${Branch} value=${value} open=${open - 1} elsewhere=${elsewhere} />`}
  </details></li>`;
}

/** @param {{ value: Json, open: number, elsewhere: string[] }} props */
function Branch({ value, open, elsewhere }) {
  const [most, setMost] = useState(kMostMembers);
  const count = countOf(/** @type {object} */ (value));
  return html`<ul class="json">
    ${firstOf(/** @type {object} */ (value), most).map(([name, one]) => html`<${Member} key=${name} name=${name} value=${one} open=${open}
        elsewhere=${elsewhere} />`)}
    ${count > most && html`<li><button type="button" class="link" onClick=${() => setMost(most * 10)}>
      Show more: ${count - most} are left</button></li>`}
  </ul>`;
}

/** `open` levels are open at first; texts that are shown `elsewhere` in full are not repeated.
 * @param {{ value: Json, open?: number, elsewhere?: string[] }} props */
export function JsonTree({ value, open = 2, elsewhere = [] }) {
  return isBranch(value) ? html`<${Branch} value=${value} open=${open} elsewhere=${elsewhere} />`
    : html`<div class="json"><${Leaf} value=${value} name="" elsewhere=${elsewhere} /></div>`;
}
