// @ts-check
// The audit log, newest first, and whether it is whole.
import { problemOf, request, within } from './api.js';
import { submitted } from './input.js';
import { JsonTree } from './json_tree.js';
import { WindowedList } from './list.js';
import { Nothing, troubles } from './notes.js';
import { html, useMemo, useState } from './preact.js';
import { useReads } from './read.js';
import { TextFilter } from './runs.js';
import { Ago } from './times.js';
import { Words, plain } from './words.js';

/** @typedef {import('../types/api').JsonObject} JsonObject */
/** @typedef {import('../types/api').Workspace} Workspace */
/** @typedef {{ record: JsonObject, workspace: Workspace, text: string }} Row */

const kShown = ['seq', 'time', 'event', 'prev', 'hmac', 'hash'];
/** The members that say what happened, in one line. @param {JsonObject} record */
const about = (record) => Object.entries(record).filter(([key]) => !kShown.includes(key))
  .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' · ');

/** @param {{ workspaces: Workspace[] }} props */
function Verify({ workspaces }) {
  const [said, setSaid] = useState(/** @type {{ workspace: Workspace, ok: boolean | null, text: string }[] | null} */ (null));
  const [busy, setBusy] = useState(false);
  const verify = async () => {
    setBusy(true);
    setSaid(await Promise.all(workspaces.map(async (workspace) => {
      const found = await request(`${within(workspace.id, 'audit')}/verify`).catch((error) => ({ ok: null, text: problemOf(error).message }));
      return { workspace, ok: found.ok, text: String(found.text ?? '') };
    })));
    setBusy(false);
  };
  return html`<button type="button" disabled=${busy} onClick=${verify}>${busy ? 'Verifying…' : 'Verify'}</button>
    <span role="status">${said?.map(({ workspace, ok, text }) => html`<span class=${`verified ${ok ? 'good' : 'bad'}`}>
      <b>${ok ? 'Intact' : ok === null ? 'Not verified' : 'Damaged'}</b>
      ${workspaces.length > 1 && html` <${Words} text=${workspace.name} most=${60} />`}: ${plain(text, 400)}</span>`)}
        </span>`;
}

/** @param {{ workspaces: Workspace[], at: import('./route.js').Route }} props */
export function AuditPage({ workspaces, at }) {
  const text = at.query.get('text') ?? '';
  const wanted = workspaces.map(({ id }) => ({ path: `${within(id, 'audit')}?limit=1000${text ? `&q=${encodeURIComponent(text)}` : ''}`, workspace: id }));
  const seen = /** @type {Map<string, import('./read.js').Seen<{ records: JsonObject[] }>>} */ (useReads(wanted));
  const data = wanted.map(({ path }) => seen.get(path)?.data);
  const [open, setOpen] = useState('');
  const rows = useMemo(() => data.flatMap((one, i) => (one?.records ?? []).map((record) => ({ record, workspace: workspaces[i], text: about(record) })))
    .sort((a, b) => String(b.record.time).localeCompare(String(a.record.time))), [...data]);
  const keyOf = (/** @type {Row} */ { record, workspace }) => `${workspace.id}/${record.seq}`;
  const opened = rows.find((row) => keyOf(row) === open);
  const problems = troubles(wanted.map(({ path }) => seen.get(path)));
  return html`<div class="page wide fill">
    <form class="bar filters" role="search" onSubmit=${submitted(() => {})}>
      <${TextFilter} name="text" label="Find an event, run, tool" value=${text} />
      <${Verify} workspaces=${workspaces} />
    </form>
    ${problems.map((problem) => html`<p class="warn" role="status">${plain(problem.message, 300)}</p>`)}
    ${!rows.length && data.every(Boolean) && html`<${Nothing} what="No record matches." />`}
    ${opened && html`<section class="part opened" aria-label="Record"><div class="bar">
      <h3>Record ${plain(opened.record.seq, 20)}</h3><button type="button" class="small"
          onClick=${() => setOpen('')}>Close</button></div>
      <${JsonTree} value=${opened.record} open=${2} /></section>`}
    <${WindowedList} rows=${rows} height=${34} label="Records" keyOf=${keyOf}
      row=${(/** @type {Row} */ row) => html`<button type="button" class="record" aria-expanded=${keyOf(row) === open}
          onClick=${() => setOpen(keyOf(row) === open ? '' : keyOf(row))}>
        <${Ago} at=${String(row.record.time)} /><b class="clip"><${Words} text=${row.record.event} most=${60} /></b>
          <span class="clip quiet">${workspaces.length > 1 ? `${plain(row.workspace.name, 40)} · ` : ''}
            ${plain(row.text, 300)}</span></button>`} />
  </div>`;
}
