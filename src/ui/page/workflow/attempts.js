// @ts-check
// The attempts of one task, as the events of its workflow report them.
import { State } from './notes.js';
import { html } from './preact.js';
import { useRead } from './read.js';
import { place } from './route.js';
import { Ago } from './times.js';
import { Words, plain } from './words.js';

/** @typedef {import('../../types/api').JsonObject} JsonObject */
/** @typedef {{ attempt: number, run: string, at: string, state: string, code: string, message: string }} Attempt */

const kMostEvents = 5000;

/** @param {JsonObject[]} events @param {string} task @returns {Attempt[]} */
export function attemptsIn(events, task) {
  /** @type {Attempt[]} */ const found = [];
  for (const one of events) {
    if (one.task !== task) continue;
    const last = found.at(-1);
    if (one.type === 'task_start') found.push({ attempt: Number(one.attempt ?? found.length + 1), run: String(one.run ?? ''), at: String(one.at), state: 'running', code: '', message: '' });
    if (one.type === 'task_complete' && last) last.state = 'completed';
    if (one.type === 'task_error' && last) {
      const error = /** @type {JsonObject} */ (one.error ?? {});
      Object.assign(last, { state: one.status === 'unknown' ? 'unknown' : 'failed', code: String(error.code ?? ''), message: String(error.message ?? '') });
    }
  }
  return found;
}

/** @param {{ at: string, workspace: string, task: string, last: number }} props */
export function Attempts({ at, workspace, task, last }) {
  const { data } = /** @type {import('./read.js').Seen<{ events: JsonObject[] }>} */ (useRead(`${at}/events?limit=${kMostEvents}&after=${Math.max(0, last - kMostEvents)}`, workspace));
  const list = attemptsIn(data?.events ?? [], task);
  if (!list.length) return null;
  return html`<h3>Attempts</h3><ol class="before">${list.map((one) => html`<li><b>${one.attempt}</b> <${State} state=${one.state} />
    ${one.code && html`<code>${plain(one.code, 60)}</code>`} ${one.message && html`<${Words} text=${one.message} most=${200} />`}
    <${Ago} at=${one.at} suffix=" ago" /> ${one.run && html`<a href=${place('runs', workspace, one.run)}>its run</a>`}</li>`)}</ol>`;
}
