// @ts-check
// What waits for a person, of all workspaces, oldest first; and what was answered.
import { identity, mayAnswer } from './answer.js';
import { within } from './api.js';
import { Batch, likeness } from './batch.js';
import { ApprovalCard } from './card.js';
import { Decisions } from './decisions.js';
import { useKeys } from './keys.js';
import { WindowedList } from './list.js';
import { Nothing, Trouble, troubles } from './notes.js';
import { NotifyButton } from './notify.js';
import { html, useMemo, useState } from './preact.js';
import { useRead, useReads } from './read.js';
import { go, place } from './route.js';
import { Ago } from './times.js';
import { Words, plain } from './words.js';

/** @typedef {import('../types/api').Approval} Approval */
/** @typedef {import('../types/api').Asked} Asked */
/** @typedef {import('../types/api').Workspace} Workspace */
/** @typedef {{ list: Asked[] | null, hasMore: boolean, problems: import('./api.js').Problem[] }} Waiting */
/** @typedef {import('./decisions.js').Decision} Decision */

/** The requests of some workspaces.
 * @param {Workspace[]} workspaces
 * @param {'pending' | 'all'} state
 * @returns {Waiting} */
export function useApprovals(workspaces, state) {
  const most = state === 'all' ? 300 : 1000;
  const wanted = workspaces.map((workspace) => ({ path: `${within(workspace.id, 'approvals')}?short=1&state=${state}&limit=${most}`, workspace: workspace.id, list: 'approvals', most }));
  const seen = /** @type {Map<string, import('./read.js').Seen<{ approvals: Approval[], next: string | null }>>} */ (useReads(wanted));
  const read = wanted.map(({ path }) => seen.get(path));
  return useMemo(() => {
    const list = read.flatMap((one, i) => (one?.data?.approvals ?? []).map((approval) => ({ ...approval, workspace: workspaces[i] })));
    list.sort((a, b) => state === 'pending' ? a.created - b.created : b.created - a.created);
    return { list: read.some((one) => one?.data) || !workspaces.length ? list : null, hasMore: read.some((one) => one?.data?.next), problems: troubles(read) };
  }, [...read.flatMap((one) => [one?.data, one?.problem]), workspaces.length]);
}

/** @param {{ asked: Asked, isCurrent: boolean, isChosen: boolean, several: boolean, onChoose: (() => void) | null }}
 *   props */
function Row({ asked, isCurrent, isChosen, several, onChoose }) {
  const { card } = asked;
  const last = asked.answers.at(-1);
  return html`<div class=${`entry ${isCurrent ? 'current' : ''}`}>
    ${onChoose && html`<input type="checkbox" checked=${isChosen} aria-label=${`Choose ${plain(card.title, 80)}`}
        onChange=${onChoose} />`}
    <a href=${place('inbox', asked.workspace.id, asked.id, asked.state === 'pending' ? {} : { view: 'history' })}
        aria-current=${isCurrent ? 'true' : null}>
      <span class="entry-top"><b class="clip"><${Words} text=${card.title || 'Approval request'} most=${160} /></b>
        <${Ago} at=${asked.state === 'pending' ? asked.created : last?.at ?? asked.created} /></span>
      <span class="entry-low clip">${asked.state !== 'pending' && html`<span
          class=${`state ${last?.approved ? 'good' : 'bad'}`}>
            ${last ? (last.approved ? 'approved' : 'denied') : plain(asked.state, 20)}</span> `}
        <${Words} text=${card.client || 'no name'} most=${60} />${several && html` · <${Words}
            text=${asked.workspace.name} most=${60} />`}</span>
      <span class="entry-low clip said-line">${card.intent ? html`“<${Words} text=${card.intent}
          most=${160} />”` : html`<span class="quiet">no intent given</span>`}</span>
    </a>
  </div>`;
}

/** The request that is shown, as the store has it now, in whatever state.
 * @param {{ workspace: Workspace | undefined, id: string, role: string }} props */
function Current({ workspace, id, role }) {
  const { data, problem } = /** @type {import('./read.js').Seen<Approval>} */ (useRead(workspace ? within(workspace.id, 'approvals', id) : null, workspace?.id ?? ''));
  const asked = useMemo(() => workspace && data ? { ...data, workspace } : null, [data, workspace?.id]);
  if (!workspace) return html`<${Trouble} what="This workspace is not open in this page."
      todo="Choose another request." />`;
  if (problem && !asked) return html`<${Trouble} what=${problem.message}
      todo=${problem.status === 404 ? 'It may have been removed with its run. Choose another request.' : ''} />`;
  return asked ? html`<${ApprovalCard} key=${`${workspace.id}/${id}`} asked=${asked} role=${role}
      byKeys=${true} />` : null;
}

/** @param {{ waiting: Waiting & { decisions: Decision[] }, workspaces: Workspace[], all: Workspace[], role: string, at:
 *   import('./route.js').Route }} props */
export function Inbox({ waiting, workspaces, all, role, at }) {
  const isHistory = at.query.get('view') === 'history';
  const answered = useApprovals(isHistory ? workspaces : [], 'all');
  const { list, hasMore, problems } = isHistory ? { ...answered, list: answered.list?.filter(({ state }) => state !== 'pending') ?? null } : waiting;
  const rows = list ?? [];
  const [chosen, setChosen] = useState(/** @type {Map<string, string>} */ (new Map()));
  // One that has changed since it was chosen is chosen no more.
  const batch = isHistory || !chosen.size ? [] : rows.filter((asked) => chosen.get(`${asked.workspace.id}/${asked.id}`) === identity(asked));
  const toggle = (/** @type {Asked[]} */ some) => setChosen((before) => {
    const next = new Map(before);
    for (const asked of some) {
      const key = `${asked.workspace.id}/${asked.id}`;
      if (some.length === 1 && next.has(key)) next.delete(key);
      else next.set(key, identity(asked));
    }
    return next;
  });
  const current = rows.findIndex((asked) => asked.id === at.id && asked.workspace.id === at.workspace);
  /** @type {Record<string, string>} */ const view = isHistory ? { view: 'history' } : {};
  const move = (/** @type {number} */ by) => {
    const next = rows[current < 0 ? (by > 0 ? 0 : rows.length - 1) : current + by];
    if (next) go(place('inbox', next.workspace.id, next.id, view), { instead: true });
  };
  const canChoose = !isHistory && mayAnswer(role);
  useKeys({
    j: () => move(1), k: () => move(-1), Escape: () => go(place('inbox', '', '', view)),
    x: () => { if (canChoose && rows[current]) toggle([rows[current]]); },
  });
  const kinds = useMemo(() => rows.map(likeness), [list]);
  const like = current >= 0 && canChoose ? rows.filter((_, i) => kinds[i] === kinds[current]) : [];
  // To the list, and not to a request that would stand where the buttons were.
  const leaveBatch = () => {
    setChosen(new Map());
    go(place('inbox', '', '', view));
  };
  const isDetail = Boolean(at.id) || batch.length > 0;
  return html`<div class=${`split ${isDetail ? 'has-detail' : ''}`}>
    <section class="master" aria-label=${isHistory ? 'Answered requests' : 'Waiting requests'}>
      <div class="bar">
        <div class="tabs">
          <a href=${place('inbox')} aria-current=${isHistory ? null : 'page'}>Waiting <span class="count">
            ${waiting.list ? waiting.list.length + waiting.decisions.length : '…'}${waiting.hasMore && '+'}</span></a>
          <a href=${place('inbox', '', '', { view: 'history' })} aria-current=${isHistory ? 'page' : null}>History</a>
        </div>
        <${NotifyButton} />
        ${like.length > 1 && html`<button type="button" class="small"
            onClick=${() => toggle(like)}>Choose all ${like.length} like this</button>`}
      </div>
      ${problems.map((problem) => html`<p class="warn pad" role="status">${plain(problem.message, 300)}</p>`)}
      ${hasMore && !isHistory && html`<p class="warn pad" role="status">More requests are waiting than are listed here. They
        appear as these are answered.</p>`}
      ${!isHistory && html`<${Decisions} decisions=${waiting.decisions} />`}
      ${list && !rows.length && (isHistory || !waiting.decisions.length) && html`<${Nothing}
          what=${isHistory ? 'No request has been answered yet.' : 'Nothing is waiting for you.'}
        more=${isHistory ? '' : 'Calls of agents that need a decision by a person appear here.'} />`}
      <${WindowedList} rows=${rows} height=${76} label="Requests" selected=${current}
          keyOf=${(/** @type {Asked} */ asked) => `${asked.workspace.id}/${asked.id}`}
        row=${(/** @type {Asked} */ asked) => html`<${Row} asked=${asked} several=${workspaces.length > 1}
            isCurrent=${asked === rows[current]}
          isChosen=${batch.includes(asked)} onChoose=${canChoose ? () => toggle([asked]) : null} />`} />
    </section>
    <section class="detail" aria-label="Request">
      ${isDetail && html`<a class="back" href=${place('inbox', '', '', view)}
          onClick=${() => setChosen(new Map())}>← All requests</a>`}
      ${batch.length
        ? html`<${Batch} chosen=${batch} onDone=${leaveBatch}
            onLeave=${(/** @type {Asked} */ asked) => toggle([asked])} />`
        : at.id ? html`<${Current} workspace=${all.find(({ id }) => id === at.workspace)} id=${at.id}
            role=${role} />`
        : rows.length ? html`<${Nothing} what="Choose a request." more="Or press j." />` : null}
    </section>
  </div>`;
}
