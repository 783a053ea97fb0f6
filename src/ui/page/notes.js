// @ts-check
// Short messages in the place of what is not there.
import { html } from './preact.js';
import { plain } from './words.js';

/** @param {{ what: string, more?: string }} props */
export function Nothing({ what, more = '' }) {
  return html`<div class="nothing"><p>${what}</p>${more && html`<p class="quiet">${more}</p>`}</div>`;
}
/** What happened, and what to do. @param {{ what: string, todo?: string }} props */
export function Trouble({ what, todo = '' }) {
  return html`<div class="nothing" role="alert"><p>${plain(what, 600)}</p>${todo && html`<p class="quiet">
    ${plain(todo, 400)}</p>`}</div>`;
}

/** Problems to show beside a list; that the server does not answer is shown above all lists.
 * @param {({ problem: import('./api.js').Problem | null } | undefined)[]} seen */
export const troubles = (seen) => seen.flatMap((one) => one?.problem && !one.problem.isUnreached ? [one.problem] : []);

/** @type {Record<string, string>} */
const kTones = {
  finished: 'good', completed: 'good', ok: 'good', allow: 'good', approved: 'good', failed: 'bad', dead: 'bad', denied: 'bad', deny: 'bad', error: 'bad',
  ready: 'good', usable: 'good', quarantined: 'bad', broken: 'bad', 'backing-off': 'wait', starting: 'busy',
  waiting: 'wait', ask: 'wait', paused: 'wait', unknown: 'wait', partial: 'wait', failed_safe: 'wait', running: 'busy',
};
/** @param {string} state */
export const toneOf = (state) => kTones[state] ?? '';
/** @param {{ state: string }} props */
export function State({ state }) {
  return html`<span class=${`state ${toneOf(state)}`}>${plain(state, 30)}</span>`;
}
