// @ts-check
// The runs of all workspaces, newest first, with filters.
import { submitted, typed } from './input.js';
import { useKeys } from './keys.js';
import { WindowedList } from './list.js';
import { Nothing, State } from './notes.js';
import { html, useEffect, useMemo, useState } from './preact.js';
import { filter, go, place } from './route.js';
import { RunPage } from './run.js';
import { useRuns } from './run_list.js';
import { now } from './session.js';
import { Ago, Took } from './times.js';
import { Words, plain } from './words.js';

/** @typedef {import('../types/api').Workspace} Workspace */
/** @typedef {import('./run_list.js').RunHere} RunHere */

const kStates = ['running', 'waiting', 'finished', 'failed', 'cancelled'];
/** @type {Record<string, [string, number]>} */
const kTimes = { hour: ['last hour', 3_600_000], day: ['last day', 86_400_000], week: ['last week', 604_800_000] };

/** Applied when the person has stopped typing. @param {{ name: string, label: string, value: string }} props */
export function TextFilter({ name, label, value }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => filter({ [name]: text }), 200);
    return () => clearTimeout(timer);
  }, [text]);
  return html`<input type="search" name=${name} aria-label=${label} placeholder=${label} value=${text}
      onInput=${typed(setText)} />`;
}
/** @param {{ name: string, label: string, value: string, options: [string, string][] }} props */
export function ChoiceFilter({ name, label, value, options }) {
  return html`<select name=${name} aria-label=${label} value=${value}
      onChange=${typed((chosen) => filter({ [name]: chosen }))}>
    <option value="">${label}: all</option>${options.map(([one, shown]) => html`<option value=${one}
        selected=${one === value}>${shown}</option>`)}</select>`;
}

/** @param {{ query: URLSearchParams, clients: string[] }} props */
function Filters({ query, clients }) {
  const value = (/** @type {string} */ name) => query.get(name) ?? '';
  return html`<form class="bar filters" role="search" onSubmit=${submitted(() => {})}>
    <${TextFilter} name="text" label="Find in id, client, intent" value=${value('text')} />
    <${TextFilter} name="tool" label="Tool" value=${value('tool')} />
    <${TextFilter} name="error" label="Error code" value=${value('error')} />
    <${ChoiceFilter} name="status" label="State" value=${value('status')} options=${kStates.map((one) => [one, one])} />
    <${ChoiceFilter} name="client" label="Client" value=${value('client')}
        options=${clients.map((one) => [one, plain(one, 40)])} />
    <${ChoiceFilter} name="time" label="Time" value=${value('time')}
        options=${Object.entries(kTimes).map(([one, [shown]]) => [one, shown])} />
  </form>`;
}

/** @param {{ run: RunHere, isCurrent: boolean, several: boolean }} props */
function Row({ run, isCurrent, several }) {
  return html`<div class=${`entry ${isCurrent ? 'current' : ''}`}><a
      href=${place('runs', run.workspace.id, run.id, queryOf())} aria-current=${isCurrent ? 'true' : null}>
    <span class="entry-top"><span class="clip"><${Words} text=${run.about || run.intent || run.id} most=${160} /></span>
      <${Ago} at=${run.created} /></span>
    <span class="entry-low clip"><${State} state=${run.status} />${run.error && html` <code>${plain(run.error, 40)}
      </code>`} <${Words} text=${run.client || 'no name'} most=${60} />
        ${several && html` · <${Words} text=${run.workspace.name} most=${60} />`} · <${Took} from=${run.created}
            to=${run.ended} /></span>
  </a></div>`;
}
/** The filters of the address, for a link that keeps them. */
function queryOf() {
  return Object.fromEntries(new URLSearchParams(location.hash.split('?')[1] ?? ''));
}

/** @param {{ workspaces: Workspace[], all: Workspace[], role: string, at: import('./route.js').Route }} props */
export function RunsPage({ workspaces, all, role, at }) {
  const value = (/** @type {string} */ name) => at.query.get(name) ?? '';
  const since = useMemo(() => value('time') in kTimes ? now() - kTimes[value('time')][1] : 0, [value('time')]);
  const filters = { status: value('status'), client: value('client'), tool: value('tool'), text: value('text'), error: value('error'), since };
  const { runs, more, hasMore, problems } = useRuns(workspaces, filters);
  const clients = useMemo(() => [...new Set([...runs.map(({ client }) => client), filters.client])].filter(Boolean).sort(), [runs, filters.client]);
  const current = runs.findIndex((run) => run.id === at.id && run.workspace.id === at.workspace);
  const move = (/** @type {number} */ by) => {
    const next = runs[current < 0 ? 0 : current + by];
    if (next) go(place('runs', next.workspace.id, next.id, queryOf()), { instead: true });
  };
  useKeys({
    j: () => move(1), k: () => move(-1), Escape: () => go(place('runs', '', '', queryOf())),
  });
  return html`<div class=${`split ${at.id ? 'has-detail' : ''}`}>
    <section class="master" aria-label="Runs">
      <${Filters} query=${at.query} clients=${clients} />
      ${problems.map((problem) => html`<p class="warn pad" role="status">${plain(problem.message, 300)}</p>`)}
      ${!runs.length && !hasMore && html`<${Nothing} what="No run matches."
          more="Runs appear here as agents start them." />`}
      <${WindowedList} rows=${runs} height=${52} label="Runs" selected=${current} onEnd=${hasMore ? more : undefined}
          keyOf=${(/** @type {RunHere} */ run) => `${run.workspace.id}/${run.id}`}
        row=${(/** @type {RunHere} */ run) => html`<${Row} run=${run} several=${workspaces.length > 1}
            isCurrent=${run === runs[current]} />`} />
    </section>
    <section class="detail" aria-label="Run">
      ${at.id && html`<a class="back" href=${place('runs', '', '', queryOf())}>← All runs</a>`}
      ${at.id ? html`<${RunPage} key=${`${at.workspace}/${at.id}`}
          workspace=${all.find(({ id }) => id === at.workspace)} id=${at.id} role=${role} />`
        : runs.length ? html`<${Nothing} what="Choose a run." more="Or press j." />` : null}
    </section>
  </div>`;
}
