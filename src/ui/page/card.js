// @ts-check
// An approval request. First the agent's words, framed; then what Glovebox knows: who asks, the calls in full, what was
// called before; directly below that the decision. Nothing that an agent writes can stand between the facts and the
// buttons, or push them away: the decision stays in view.
import { identity, mayAnswer } from './answer.js';
import { Calls, kFirstCalls, shownOpen } from './calls.js';
import { Code } from './code.js';
import { Decide } from './decide.js';
import { html, useEffect, useState } from './preact.js';
import { place } from './route.js';
import { Ago, duration } from './times.js';
import { Folded, Words, plain } from './words.js';

/** @typedef {import('../types/api').Asked} Asked */
/** @typedef {import('../types/api').PlannedCall} PlannedCall */

/** @param {Asked} asked @returns {PlannedCall[]} */
const planned = (asked) => asked.card.plan?.tools ?? [];
/** The lines from which a call of this request can come, where the plan says so. @param {Asked} asked */
function askingLines({ card, ...rest }) {
  const names = new Set(card.calls.map(({ server, tool }) => `${server}.${tool}`));
  return planned(/** @type {Asked} */ ({ card, ...rest })).filter(({ server, tool }) => names.has(`${server}.${tool}`)).flatMap(({ line }) => line ?? []);
}

/** @param {{ asked: Asked }} props */
function Said({ asked }) {
  const { intent, code, language } = asked.card;
  if (!intent && !code) return null;
  return html`<section class="said" aria-label="The agent's words">
    <p class="tag">The agent says</p>
    ${intent && html`<${Folded} text=${intent} lines=${3} label="The purpose that the agent states" />`}
    ${code && html`<${Code} code=${code} most=${11} asking=${askingLines(asked)}
        label=${`The agent's code (${plain(language, 20)})`} />`}
  </section>`;
}

/** @param {{ asked: Asked }} props */
function Before({ asked }) {
  const { before = [], since = 0 } = asked.card;
  if (!before.length) return html`<p class="quiet">This run has made no calls yet.</p>`;
  const first = before.length - Math.min(since, before.length);
  return html`<details open=${since > 0}>
    <summary>Called before in this run: ${before.length}
      ${since > 0 && since < before.length ? `, ${since} since the last request` : ''}</summary>
    <ol class="before">${before.map((one, i) => html`<li class=${i >= first ? 'fresh' : ''}>
      <${Words} text=${one.tool} most=${120} /> <span class=${`state ${one.outcome === 'ok' ? 'good' : 'bad'}`}>
        <${Words} text=${one.code ?? one.outcome} most=${60} /></span>
      ${one.durationMs !== undefined && html`<span class="quiet">${duration(one.durationMs)}</span>`}
      ${one.arguments !== undefined && html`<code class="clip">${plain(JSON.stringify(one.arguments), 160)}</code>`}
        </li>`)}</ol>
  </details>`;
}

/** @param {{ asked: Asked }} props */
function Plan({ asked }) {
  const { plan } = asked.card;
  if (!plan) return null;
  const tools = planned(asked);
  const dynamic = plan.dynamic ?? [];
  return html`<details>
    <summary>The code can call ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}
      ${dynamic.length ? ', and calls that only show at run time' : ''}</summary>
    <ul class="before">${tools.map((one) => html`<li><${Words} text=${`${one.server}.${one.tool}`} most=${120} />
      ${one.line && html`<span class="quiet">line ${one.line}</span>`}
      ${one.when?.map((condition) => html`<code class="clip">${plain(condition, 120)}</code>`)}</li>`)}
      ${dynamic.map((one) => html`<li><${Words} text=${one.what} most=${120} /> <span
          class="quiet">dynamic${one.line ? `, line ${one.line}` : ''}</span></li>`)}</ul>
  </details>`;
}

/** @param {{ asked: Asked }} props */
export function WhoAsks({ asked }) {
  return html`<dl class="who">
    <div><dt>Asked by</dt><dd><b><${Words} text=${asked.card.client || 'an unnamed client'} most=${120} /></b>
      </dd></div>
    <div><dt>Workspace</dt><dd><${Words} text=${asked.card.workspace || asked.workspace.folder} most=${300} /></dd>
      </div>
    <div><dt>Run</dt><dd><a href=${place('runs', asked.workspace.id, asked.run)} title=${plain(asked.run, 80)}>
      ${plain(asked.run, 12)}</a></dd></div>
    <div><dt>Asked</dt><dd><${Ago} at=${asked.created} suffix=" ago" /></dd></div>
  </dl>`;
}

/** `byKeys`: y and n are for this one; so for one at most on a page.
 * @param {{ asked: Asked, role: string, byKeys?: boolean }} props */
export function ApprovalCard({ asked, role, byKeys = false }) {
  const [most, setMost] = useState(kFirstCalls);
  const [chosen, setChosen] = useState(shownOpen(asked, most));
  useEffect(() => setChosen(shownOpen(asked, most)), [identity(asked)]);
  const showAll = () => {
    const all = asked.card.calls.length;
    setChosen([...chosen, ...shownOpen(asked, all).filter((call) => !shownOpen(asked, most).includes(call))]);
    setMost(all);
  };
  const isPending = asked.state === 'pending';
  return html`<article class="card" aria-labelledby=${`title-${asked.id}`}>
    <div class="card-body" tabindex="0" role="region" aria-label="The request">
      <header><h2 id=${`title-${asked.id}`}><${Words} text=${asked.card.title || 'Approval request'} most=${300} /></h2>
        ${!isPending && html`<span class="state">${plain(asked.state, 20)}</span>`}</header>
      <${Said} asked=${asked} />
      <${Plan} asked=${asked} />
      <section class="facts" aria-label="What Glovebox knows">
        <p class="tag">Glovebox says</p>
        <${WhoAsks} asked=${asked} />
        ${asked.card.need && html`<p class="need">Needed first:</p><${Folded} text=${asked.card.need}
            label="What is needed first" />`}
        <${Calls} asked=${asked} chosen=${chosen} most=${most} onMore=${showAll}
            onChoose=${isPending && mayAnswer(role) ? setChosen : null} />
        <${Before} asked=${asked} />
      </section>
    </div>
    <${Decide} key=${`${asked.workspace.id}/${asked.id}`} asked=${asked} role=${role} chosen=${chosen}
        byKeys=${byKeys} />
  </article>`;
}
