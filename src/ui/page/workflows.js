// @ts-check
// The workflows of all workspaces, newest first.
import { within } from './api.js';
import { useKeys } from './keys.js';
import { WindowedList } from './list.js';
import { Nothing, State, troubles } from './notes.js';
import { html } from './preact.js';
import { useReads } from './read.js';
import { go, place } from './route.js';
import { Ago } from './times.js';
import { Words, plain } from './words.js';
import { WorkflowPage } from './workflow.js';

/** @typedef {import('../types/api').Workspace} Workspace */
/** @typedef {import('../types/api').WorkflowSummary & { workspace: Workspace }} Here */

/** @param {{ workspaces: Workspace[], all: Workspace[], role: string, at: import('./route.js').Route }} props */
export function WorkflowsPage({ workspaces, all, role, at }) {
  const wanted = workspaces.map(({ id }) => ({ path: within(id, 'workflows'), workspace: id }));
  const seen = /** @type {Map<string, import('./read.js').Seen<{ workflows: import('../types/api').WorkflowSummary[] }>>} */ (useReads(wanted));
  const read = wanted.map(({ path }) => seen.get(path));
  const rows = read.flatMap((one, i) => (one?.data?.workflows ?? []).map((workflow) => ({ ...workflow, workspace: workspaces[i] })))
    .sort((a, b) => b.created.localeCompare(a.created));
  const problems = troubles(read);
  const current = rows.findIndex((row) => row.workflow_id === at.id && row.workspace.id === at.workspace);
  const move = (/** @type {number} */ by) => {
    const next = rows[current < 0 ? 0 : current + by];
    if (next) go(place('workflows', next.workspace.id, next.workflow_id), { instead: true });
  };
  useKeys({ j: () => move(1), k: () => move(-1), Escape: () => go(place('workflows')) });
  return html`<div class=${`split ${at.id ? 'has-detail' : ''}`}>
    <section class="master" aria-label="Workflows">
      ${problems.map((problem) => html`<p class="warn pad" role="status">${plain(problem.message, 300)}</p>`)}
      ${!rows.length && read.every((one) => one?.data) && html`<${Nothing} what="There are no workflows."
          more="Agents start one with run_workflow, people with glovebox run." />`}
      <${WindowedList} rows=${rows} height=${52} label="Workflows" selected=${current}
          keyOf=${(/** @type {Here} */ row) => `${row.workspace.id}/${row.workflow_id}`}
        row=${(/** @type {Here} */ row, /** @type {number} */ i) => html`<div
            class=${`entry ${i === current ? 'current' : ''}`}><a
                href=${place('workflows', row.workspace.id, row.workflow_id)}
                    aria-current=${i === current ? 'true' : null}>
          <span class="entry-top"><span class="clip"><${Words} text=${row.intent || row.workflow_id} most=${160} />
            </span><${Ago} at=${row.created} /></span>
          <span class="entry-low clip"><${State} state=${row.status} /> <code>${plain(row.workflow_id, 40)}</code>
            ${workspaces.length > 1 && html` · <${Words} text=${row.workspace.name} most=${60} />`}</span></a>
              </div>`} />
    </section>
    <section class="detail" aria-label="Workflow">
      ${at.id && html`<a class="back" href=${place('workflows')}>← All workflows</a>`}
      ${at.id ? html`<${WorkflowPage} key=${`${at.workspace}/${at.id}`}
          workspace=${all.find(({ id }) => id === at.workspace)} id=${at.id} role=${role} />`
        : rows.length ? html`<${Nothing} what="Choose a workflow." more="Or press j." />` : null}
    </section>
  </div>`;
}
