// @ts-check
// Servers and their tools: as they were last listed, how each gateway sees them, and what a search finds, with its scores.
import { within } from './api.js';
import { submitted, typed } from './input.js';
import { useKeys } from './keys.js';
import { WindowedList } from './list.js';
import { Nothing, State, Trouble, troubles } from './notes.js';
import { html, useEffect, useState } from './preact.js';
import { kSeldom, useReads } from './read.js';
import { filter, go, place } from './route.js';
import { ChoiceFilter, TextFilter } from './runs.js';
import { Servers } from './servers.js';
import { ToolPage } from './tool.js';
import { Words, plain } from './words.js';

/** @typedef {import('../../types/api').Workspace} Workspace */
/** @typedef {import('../../types/api').ToolSummary} ToolSummary */
/** @typedef {import('../../types/api').FoundTool} FoundTool */
/** @typedef {{ workspace: Workspace, tool: ToolSummary | FoundTool, found: FoundTool | null }} Row */

/** @param {ToolSummary | FoundTool} tool */
const idOf = (tool) => `${tool.server}:${tool.name}`;

/** What its score is made of. @param {FoundTool} found */
function inWords(found) {
  const parts = [`words ${found.words}`, `meaning ${found.meaning}`];
  if (found.uses > 0) parts.push(`earlier uses +${found.uses}`);
  return `${found.score}${found.weak ? ' (weak)' : ''}: ${parts.join(', ')}`;
}

/** @param {{ row: Row, isCurrent: boolean, several: boolean }} props */
function Entry({ row: { workspace, tool, found }, isCurrent, several }) {
  const state = 'state' in tool ? tool.state : 'usable';
  return html`<div class=${`entry ${isCurrent ? 'current' : ''}`}><a aria-current=${isCurrent ? 'true' : null}
      href=${place('tools', workspace.id, idOf(tool), queryOf())}>
    <span class="entry-top"><b class="clip"><${Words} text=${`${tool.server}.${tool.name}`} most=${120} /></b>
      ${state !== 'usable' && html`<${State} state=${state} />`}</span>
    <span class="entry-low clip">${found ? plain(inWords(found), 200) : html`<${Words} text=${tool.description || tool.server} most=${160} />`}
      ${several && html` · <${Words} text=${workspace.name} most=${60} />`}</span></a></div>`;
}

/** The filters of the list, kept when a tool is chosen. */
const queryOf = () => {
  const query = new URLSearchParams(location.hash.split('?')[1] ?? '');
  return Object.fromEntries(['q', 'text', 'state'].flatMap((key) => query.get(key) ? [[key, query.get(key) ?? '']] : []));
};

/** @param {{ value: string }} props */
function SearchBox({ value }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return html`<form class="bar filters" role="search" onSubmit=${submitted(() => filter({ q: text.trim() }))}>
    <input type="search" class="grow" aria-label="What do you want to do?" placeholder="What do you want to do?" value=${text}
      onInput=${typed((next) => { setText(next); if (!next) filter({ q: '' }); })} />
    <button type="submit" class="small">Search</button></form>`;
}

/** @param {{ workspaces: Workspace[], all: Workspace[], role: string, at: import('./route.js').Route }} props */
export function ToolsPage({ workspaces, all, role, at }) {
  const [q, text, state] = ['q', 'text', 'state'].map((key) => at.query.get(key) ?? '');
  const wanted = workspaces.map(({ id }) => ({
    path: q ? `${within(id, 'tools')}/search?limit=20&q=${encodeURIComponent(q)}` : within(id, 'tools'), workspace: q ? kSeldom : id }));
  const seen = /** @type {Map<string, import('./read.js').Seen<{ tools: (ToolSummary | FoundTool)[], waiting?: number }>>} */ (useReads(wanted));
  const read = wanted.map(({ path }) => seen.get(path));
  /** @type {Row[]} */ const found = read.flatMap((one, i) => (one?.data?.tools ?? []).map((tool) => ({ workspace: workspaces[i], tool, found: 'score' in tool ? tool : null })));
  const rows = q ? found.sort((a, b) => (b.found?.score ?? 0) - (a.found?.score ?? 0))
    : found.filter(({ tool }) => (!text || `${tool.server}.${tool.name} ${tool.description}`.toLowerCase().includes(text.toLowerCase())) && (!state || ('state' in tool && tool.state === state)));
  const current = rows.findIndex(({ workspace, tool }) => workspace.id === at.workspace && idOf(tool) === at.id);
  const move = (/** @type {number} */ by) => {
    const next = rows[current < 0 ? 0 : current + by];
    if (next) go(place('tools', next.workspace.id, idOf(next.tool), queryOf()), { instead: true });
  };
  useKeys({ j: () => move(1), k: () => move(-1), Escape: () => go(place('tools', '', '', queryOf())) });
  const chosen = all.find(({ id }) => id === at.workspace);
  return html`<div class=${`split ${at.id ? 'has-detail' : ''}`}>
    <section class="master" aria-label="Tools">
      <${SearchBox} value=${q} />
      ${!q && html`<form class="bar filters" onSubmit=${submitted(() => {})}>
        <${TextFilter} name="text" label="Filter by name" value=${text} />
        <${ChoiceFilter} name="state" label="State" value=${state}
            options=${['usable', 'quarantined', 'refused'].map((one) => [one, one])} /></form>`}
      ${troubles(read).map((problem) => html`<p class="warn pad" role="status">${plain(problem.message, 300)}</p>`)}
      ${!rows.length && read.every((one) => one?.data) && html`<${Nothing} what=${q ? 'No tool matches this.' : 'No tools yet.'}
          more=${q ? 'Try rephrasing it.' : 'Tools appear once a gateway has listed their servers.'} />`}
      <${WindowedList} rows=${rows} height=${52} label="Tools" selected=${current}
          keyOf=${(/** @type {Row} */ { workspace, tool }) => `${workspace.id}/${idOf(tool)}`}
        row=${(/** @type {Row} */ row, /** @type {number} */ i) => html`<${Entry} row=${row} isCurrent=${i === current}
            several=${workspaces.length > 1} />`} />
    </section>
    <section class="detail" aria-label=${at.id ? 'Tool' : 'Servers'}>
      ${at.id && html`<a class="back" href=${place('tools', '', '', queryOf())}>← All tools</a>`}
      ${!at.id ? html`<${Servers} workspaces=${workspaces} role=${role} />`
        : chosen ? html`<${ToolPage} key=${`${at.workspace}/${at.id}`} workspace=${chosen} id=${at.id} role=${role} />`
        : html`<${Trouble} what="This workspace is not open in this page." />`}
    </section>
  </div>`;
}
