// @ts-check
// What is allowed, asked about and denied: where that is written, what it was used for, and what would happen to a call.
import { AlsoAllows } from './also_allows.js';
import { mayAnswer } from './answer.js';
import { post, problemOf, within } from './api.js';
import { submitted, typed } from './input.js';
import { Nothing, State, troubles } from './notes.js';
import { html, useState } from './preact.js';
import { kSeldom, useReads } from './read.js';
import { place } from './route.js';
import { ChoiceFilter, TextFilter } from './runs.js';
import { Ago } from './times.js';
import { Lines, Words, plain } from './words.js';

/** @typedef {import('../../types/api').Rule} Rule */
/** @typedef {import('../../types/api').RuleUse} RuleUse */
/** @typedef {import('../../types/api').Workspace} Workspace */

const kMost = 500;

/** @param {{ rule: Rule, workspace: Workspace }} props */
function From({ rule, workspace }) {
  if (rule.source === 'run' && rule.key) return html`an approval for <a
      href=${place('runs', workspace.id, rule.key)}>a run</a>`;
  if (rule.source === 'session') return 'an approval for a session';
  return rule.source === 'config' ? 'glovebox.json' : plain(rule.source, 40);
}

/** How often a rule decided, and what would be as much and narrower. @param {{ use: RuleUse | undefined, calls: number }} props */
function Used({ use, calls }) {
  if (!use) return null;
  if (!use.used) return html`<span class="quiet">${calls ? `not in the last ${calls} calls` : 'no call yet'}</span>`;
  return html`${use.used === 1 ? 'once' : `${use.used} times`}, <${Ago} at=${use.last ?? ''} suffix=" ago" />
    ${use.narrower.length > 0 && html`<details><summary>wider than what was called</summary>
      <p class="quiet">These would have been enough:</p>
      ${use.narrower.map((rule) => html`<code class="rule"><${Words} text=${rule} /></code>`)}</details>`}`;
}

/** @param {string} text */
function argumentsIn(text) {
  const value = JSON.parse(text || '{}');
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error();
  return value;
}

/** What happens to one call. @param {{ workspace: Workspace }} props */
function CallTester({ workspace }) {
  const [tool, setTool] = useState('');
  const [args, setArgs] = useState('{}');
  const [said, setSaid] = useState(/** @type {{ effect: string, text: string } | null} */ (null));
  const ask = async () => {
    let given;
    try {
      given = argumentsIn(args);
    } catch {
      return setSaid({ effect: '', text: 'The arguments are not a JSON object, such as {"path": "./out/a.txt"}.' });
    }
    try {
      const { effect, explanation } = await post(`${within(workspace.id, 'rules')}/explain`, { tool: tool.trim(), arguments: given });
      setSaid({ effect, text: explanation });
    } catch (error) {
      setSaid({ effect: '', text: problemOf(error).message });
    }
  };
  return html`<form class="tester" onSubmit=${submitted(ask)} aria-label="What happens to a call">
    <h3>What happens to a call?</h3>
    <label>Tool <input type="text" required spellcheck=${false} autocomplete="off" placeholder="server:tool" value=${tool}
        onInput=${typed(setTool)} /></label>
    <label>Arguments <textarea rows="2" spellcheck=${false} value=${args} onInput=${typed(setArgs)}></textarea></label>
    <button type="submit" disabled=${!tool.trim()}>Ask the rules</button>
    <div role="status">${said && html`${said.effect && html`<${State} state=${said.effect} />`} <${Lines} text=${said.text.slice(0, 2000)} />`}</div>
  </form>`;
}

/** What a rule would allow. @param {{ workspace: Workspace }} props */
function RuleTester({ workspace }) {
  const [pattern, setPattern] = useState('');
  return html`<div class="tester"><h3>What would a rule allow?</h3>
    <label>Rule <input type="text" spellcheck=${false} autocomplete="off" placeholder="github:get_*" value=${pattern}
        onInput=${typed(setPattern)} /></label>
    ${pattern.trim() && html`<${AlsoAllows} workspace=${workspace.id} pattern=${pattern} />`}</div>`;
}

/** @param {{ workspaces: Workspace[], role: string }} props */
function Testers({ workspaces, role }) {
  const [chosen, setChosen] = useState('');
  const workspace = workspaces.find(({ id }) => id === chosen) ?? workspaces[0];
  if (!workspace) return null;
  return html`<details class="part testers"><summary>Try a call or a rule</summary>
    ${workspaces.length > 1 && html`<label>In <select onChange=${typed(setChosen)}>${workspaces.map(({ id, name }) => html`
      <option value=${id} selected=${id === workspace.id}>${plain(name, 60)}</option>`)}</select></label>`}
    <${CallTester} key=${`call/${workspace.id}`} workspace=${workspace} />
    ${mayAnswer(role) && html`<${RuleTester} key=${`rule/${workspace.id}`} workspace=${workspace} />`}
  </details>`;
}

/** @param {{ workspaces: Workspace[], role: string, at: import('./route.js').Route }} props */
export function RulesPage({ workspaces, role, at }) {
  const wanted = workspaces.map(({ id }) => ({ path: within(id, 'rules'), workspace: id }));
  const seen = /** @type {Map<string, import('./read.js').Seen<{ rules: Rule[] }>>} */ (useReads(wanted));
  const uses = mayAnswer(role) ? workspaces.map(({ id }) => ({ path: `${within(id, 'rules')}/usage`, workspace: kSeldom })) : [];
  const used = /** @type {Map<string, import('./read.js').Seen<import('../../types/api').RuleUsage>>} */ (useReads(uses));
  const [text, effect] = [at.query.get('text')?.toLowerCase() ?? '', at.query.get('effect') ?? ''];
  const all = wanted.flatMap(({ path }, i) => {
    const usage = used.get(uses[i]?.path)?.data;
    return (seen.get(path)?.data?.rules ?? []).map((rule) => ({
      rule, workspace: workspaces[i], calls: usage?.calls ?? 0,
      use: usage?.rules.find((one) => one.pattern === rule.pattern && one.effect === rule.effect),
    }));
  });
  const onlyUnused = at.query.get('use') === 'unused';
  const rows = all.filter(({ rule, use }) => (!effect || rule.effect === effect) && (!text || rule.pattern.toLowerCase().includes(text)) &&
    (!onlyUnused || use?.used === 0));
  const problems = troubles([...wanted.map(({ path }) => seen.get(path)), ...uses.map(({ path }) => used.get(path))]);
  return html`<div class="page wide">
    <form class="bar filters" role="search" onSubmit=${submitted(() => {})}>
      <${TextFilter} name="text" label="Find a pattern" value=${at.query.get('text') ?? ''} />
      <${ChoiceFilter} name="effect" label="Effect" value=${effect}
          options=${[['allow', 'allow'], ['ask', 'ask'], ['deny', 'deny']]} />
      ${uses.length > 0 && html`<${ChoiceFilter} name="use" label="Use" value=${at.query.get('use') ?? ''}
          options=${[['unused', 'not used recently']]} />`}
    </form>
    <${Testers} workspaces=${workspaces} role=${role} />
    ${problems.map((problem) => html`<p class="warn" role="status">${plain(problem.message, 300)}</p>`)}
    ${rows.length ? html`<div class="table" tabindex="0" role="region" aria-label="Rules"><table>
      <thead><tr><th scope="col">Effect</th><th scope="col">Pattern</th><th scope="col">From</th>
        ${uses.length > 0 && html`<th scope="col">Used</th>`}
        ${workspaces.length > 1 && html`<th scope="col">Workspace</th>`}</tr></thead>
      <tbody>${rows.slice(0, kMost).map(({ rule, workspace, use, calls }) => html`<tr><td><${State} state=${rule.effect} /></td><td>
        <code class="rule"><${Words} text=${rule.pattern} /></code></td>
        <td><${From} rule=${rule} workspace=${workspace} />${use?.by && html`<span class="by">by <b><${Words} text=${use.by} most=${80} /></b>${use.approval
          ? html`, <a href=${place('inbox', workspace.id, use.approval, { view: 'history' })}>asked</a>` : null}${use.since && html` <${Ago} at=${use.since} suffix=" ago" />`}</span>`}</td>
        ${uses.length > 0 && html`<td><${Used} use=${use} calls=${calls} /></td>`}
        ${workspaces.length > 1 && html`<td><${Words} text=${workspace.name} most=${60} /></td>`}</tr>`)}</tbody></table></div>
      ${rows.length > kMost && html`<p class="quiet">
        ${rows.length - kMost} more: use the filter.</p>`}` : html`<${Nothing} what="No rule matches."
            more="Calls that no rule covers need approval or are denied, as glovebox.json says." />`}
  </div>`;
}
