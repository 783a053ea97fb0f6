// @ts-check
// What is allowed, asked about and denied, and where that is written.
import { within } from './api.js';
import { submitted } from './input.js';
import { Nothing, State, troubles } from './notes.js';
import { html } from './preact.js';
import { useReads } from './read.js';
import { place } from './route.js';
import { ChoiceFilter, TextFilter } from './runs.js';
import { Words, plain } from './words.js';

/** @typedef {import('../types/api').Rule} Rule */
/** @typedef {import('../types/api').Workspace} Workspace */

const kMost = 500;

/** @param {{ rule: Rule, workspace: Workspace }} props */
function From({ rule, workspace }) {
  if (rule.source === 'run' && rule.key) return html`a yes for <a
      href=${place('runs', workspace.id, rule.key)}>a run</a>`;
  if (rule.source === 'session') return 'a yes for a session';
  return rule.source === 'config' ? 'glovebox.json' : plain(rule.source, 40);
}

/** @param {{ workspaces: Workspace[], at: import('./route.js').Route }} props */
export function RulesPage({ workspaces, at }) {
  const wanted = workspaces.map(({ id }) => ({ path: within(id, 'rules'), workspace: id }));
  const seen = /** @type {Map<string, import('./read.js').Seen<{ rules: Rule[] }>>} */ (useReads(wanted));
  const [text, effect] = [at.query.get('text')?.toLowerCase() ?? '', at.query.get('effect') ?? ''];
  const all = wanted.flatMap(({ path }, i) => (seen.get(path)?.data?.rules ?? []).map((rule) => ({ rule, workspace: workspaces[i] })));
  const rows = all.filter(({ rule }) => (!effect || rule.effect === effect) && (!text || rule.pattern.toLowerCase().includes(text)));
  const problems = troubles(wanted.map(({ path }) => seen.get(path)));
  return html`<div class="page wide">
    <form class="bar filters" role="search" onSubmit=${submitted(() => {})}>
      <${TextFilter} name="text" label="Find a pattern" value=${at.query.get('text') ?? ''} />
      <${ChoiceFilter} name="effect" label="Effect" value=${effect}
          options=${[['allow', 'allow'], ['ask', 'ask'], ['deny', 'deny']]} />
    </form>
    ${problems.map((problem) => html`<p class="warn" role="status">${plain(problem.message, 300)}</p>`)}
    ${rows.length ? html`<div class="table" tabindex="0" role="region" aria-label="Rules"><table>
      <thead><tr><th scope="col">Effect</th><th scope="col">Pattern</th><th scope="col">From</th>
        ${workspaces.length > 1 && html`<th scope="col">Workspace</th>`}</tr></thead>
      <tbody>${rows.slice(0, kMost).map(({ rule, workspace }) => html`<tr><td><${State} state=${rule.effect} /></td><td>
        <code class="rule"><${Words} text=${rule.pattern} /></code></td>
        <td><${From} rule=${rule} workspace=${workspace} /></td>${workspaces.length > 1 && html`<td>
          <${Words} text=${workspace.name} most=${60} /></td>`}</tr>`)}</tbody></table></div>
      ${rows.length > kMost && html`<p class="quiet">
        ${rows.length - kMost} more: use the filter.</p>`}` : html`<${Nothing} what="No rule is like this."
            more="What no rule speaks of is asked about or denied, as glovebox.json says." />`}
  </div>`;
}
