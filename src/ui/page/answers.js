// @ts-check
// What a request was answered, by whom, and what became of the run.
import { within } from './api.js';
import { State } from './notes.js';
import { html } from './preact.js';
import { useRead } from './read.js';
import { place } from './route.js';
import { Ago } from './times.js';
import { Words, plain } from './words.js';

/** @typedef {import('../types/api').Asked} Asked */

/** @param {{ asked: Asked }} props */
export function Answers({ asked }) {
  return html`<section class="answers" aria-label="Answers">
    ${asked.state === 'withdrawn' && html`<p>It was withdrawn: the run ended or no longer needs it.</p>`}
    ${asked.answers.map((one) => html`<p><span class=${`state ${one.approved ? 'good' : 'bad'}`}>
      ${one.approved ? 'approved' : 'denied'}</span>
      by <${Words} text=${one.who || 'someone'} most=${80} /> (<${Words} text=${one.channel}
          most=${40} />), ${plain(one.scope, 20)}, <${Ago} at=${one.at} suffix=" ago" />
      ${one.reason && html`: <${Words} text=${one.reason} most=${400} />`}
      ${one.rules?.map((rule) => html`<code class="rule"><${Words} text=${rule} /></code>`)}</p>`)}
    <${RunNow} asked=${asked} />
  </section>`;
}

/** What happened to the run that asked. @param {{ asked: Asked }} props */
function RunNow({ asked }) {
  const { data } = /** @type {import('./read.js').Seen<import('../types/api').RunDetail>} */ (useRead(within(asked.workspace.id, 'runs', asked.run), asked.workspace.id));
  if (!data) return null;
  return html`<p>The run: <${State} state=${data.status} /> <a
      href=${place('runs', asked.workspace.id, asked.run)}>Show it</a></p>`;
}
