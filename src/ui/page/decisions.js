// @ts-check
// Decisions of workflows that wait for a person, beside the requests about calls.
import { within } from './api.js';
import { html, useMemo } from './preact.js';
import { useReads } from './read.js';
import { place } from './route.js';
import { Ago } from './times.js';
import { Words } from './words.js';

/** @typedef {import('../types/api').Workspace} Workspace */
/** @typedef {import('../types/api').Workflow} Workflow */
/** @typedef {{ workspace: Workspace, workflow: Workflow, key: string, what: string }} Decision */

// Of a workspace. The API lists one of each client in turn, so that no client can keep another's from being listed.
const kMost = 100;

/** An agent decides for itself; calls have requests of their own. @param {import('../types/api').Wait} wait */
const isForPeople = (wait) => wait.kind === 'outcome_unknown' || (wait.kind === 'layer' && wait.by === 'human');

/** @param {Workspace[]} workspaces @returns {{ decisions: Decision[], hasMore: boolean }} */
export function useDecisions(workspaces) {
  const lists = workspaces.map(({ id }) => ({ path: `${within(id, 'workflows')}?status=waiting&limit=${kMost}`, workspace: id }));
  const listed = /** @type {Map<string, import('./read.js').Seen<{ workflows: Workflow[], more: boolean }>>} */ (useReads(lists));
  const waiting = workspaces.flatMap((workspace, i) => (listed.get(lists[i].path)?.data?.workflows ?? [])
    .map(({ workflow_id }) => ({ workspace, id: workflow_id })));
  const hasMore = lists.some(({ path }) => listed.get(path)?.data?.more);
  const wanted = waiting.map(({ workspace, id }) => ({ path: within(workspace.id, 'workflows', id), workspace: workspace.id }));
  const seen = /** @type {Map<string, import('./read.js').Seen<Workflow>>} */ (useReads(wanted));
  const workflows = wanted.map(({ path }) => seen.get(path)?.data);
  return useMemo(() => ({ hasMore, decisions: workflows.flatMap((workflow, i) => (workflow?.waitsFor ?? []).filter(isForPeople).map((wait) => ({
    workspace: waiting[i].workspace, workflow: /** @type {Workflow} */ (workflow),
    key: `${waiting[i].workspace.id}/${waiting[i].id}/${wait.task ?? wait.digest}`,
    what: wait.kind === 'layer' ? `how to continue after layer ${wait.layer}` : `what happened to ${wait.task}`,
  }))) }), [hasMore, ...workflows]);
}

/** @param {{ decisions: Decision[] }} props */
export function Decisions({ decisions }) {
  if (!decisions.length) return null;
  return html`<ul class="decisions" aria-label="Decisions of workflows">${decisions.map(({ workspace, workflow, key, what }) => html`
    <li key=${key} class="entry"><a href=${place('workflows', workspace.id, workflow.workflow_id)}>
      <span class="entry-top"><b class="clip"><${Words} text=${workflow.intent || workflow.workflow_id} most=${160} /></b>
        <${Ago} at=${workflow.created} /></span>
      <span class="entry-low clip">a workflow asks <${Words} text=${what} most=${160} /></span></a></li>`)}</ul>`;
}
