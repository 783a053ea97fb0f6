// @ts-check
// One answer to several requests. Each is sent for the request that is listed here, by its digest, and is for once: a
// rule is decided on by itself.
import { answer, openCalls } from './answer.js';
import { html, useState } from './preact.js';
import { Ago } from './times.js';
import { Folded, Words, plain } from './words.js';
import { Arguments } from './calls.js';

/** @typedef {import('../types/api').Asked} Asked */

/** Requests that ask for the same tools, by the same client, in the same workspace, and need the same first. @param {Asked} asked */
export const likeness = (asked) =>
  JSON.stringify([asked.workspace.id, asked.card.client, asked.card.need ?? '', [...new Set(asked.card.calls.map(({ server, tool }) => `${server}.${tool}`))].sort()]);

/** @param {{ chosen: Asked[], onDone: () => void, onLeave: (asked: Asked) => void }} props */
export function Batch({ chosen, onDone, onLeave }) {
  const [sending, setSending] = useState(0);
  const [said, setSaid] = useState(/** @type {string[]} */ ([]));
  const count = chosen.reduce((sum, asked) => sum + openCalls(asked).length, 0);
  const send = async (/** @type {'approve' | 'deny'} */ decision) => {
    const problems = [];
    for (const [i, asked] of chosen.entries()) {
      setSending(i + 1);
      const one = await answer(asked, decision === 'approve' ? { decision, scope: 'once' } : { decision });
      if (!one.ok) problems.push(`${plain(asked.card.title, 60)}: ${one.text}`);
    }
    setSending(0);
    setSaid(problems);
    if (!problems.length) onDone();
  };
  return html`<article class="card" aria-labelledby="batch-title">
    <div class="card-body" tabindex="0" role="region" aria-label="The chosen requests">
      <header><h2 id="batch-title">${chosen.length} requests, ${count} calls</h2></header>
      <section class="facts" aria-label="What Glovebox knows"><p class="tag">Glovebox says</p>
        <ol class="calls">${chosen.map((asked) => html`<li class="call" key=${asked.id}>
          <div class="call-head"><span><b><${Words} text=${asked.card.client} most=${80} />
            </b> in <${Words} text=${asked.workspace.name} most=${80} />, <${Ago} at=${asked.created} suffix=" ago" />
              </span>
            <button type="button" class="small" aria-label=${`Remove ${plain(asked.card.title, 80)}`}
                onClick=${() => onLeave(asked)}>Leave out</button></div>
          ${asked.card.need && html`<p class="need">Needed first:</p><${Folded} text=${asked.card.need}
              label="What is needed first" />`}
          ${asked.card.calls.filter(({ call }) => openCalls(asked).includes(call)).map((call) => html`
            <p><code class="tool"><${Words} text=${`${call.server}.${call.tool}`} most=${200} /></code></p>
              <${Arguments} call=${call} />`)}
        </li>`)}</ol></section>
    </div>
    <footer class="decide" aria-label="Decision">
      ${said.map((text) => html`<p class="warn" role="status">${plain(text, 600)}</p>`)}
      <p class="in-short">An answer to ${chosen.length} requests, each for once.</p>
      <div class="buttons">
        <button type="button" class="yes" disabled=${sending > 0}
            onClick=${() => send('approve')}>Approve these ${count} calls</button>
        <button type="button" class="no" disabled=${sending > 0}
            onClick=${() => send('deny')}>Deny these ${count} calls</button>
        ${sending > 0 && html`<span class="quiet" role="status">Sending ${sending} of ${chosen.length}</span>`}
        <button type="button" onClick=${onDone}>Choose none</button>
      </div>
    </footer>
  </article>`;
}
