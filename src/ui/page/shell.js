// @ts-check
// The frame around every page: the current page, its workspaces, and whether what is shown is live.
import { connection, tryNow } from './connection.js';
import { submitted, typed } from './input.js';
import { KeysHelp, useKeys } from './keys.js';
import { useValue } from './observable.js';
import { html, useEffect, useState } from './preact.js';
import { filter, go, place } from './route.js';
import { signOut } from './session.js';
import { plain } from './words.js';

/** @typedef {import('../types/api').About} About */
/** @typedef {import('../types/api').Workspace} Workspace */

export const kPages = [['inbox', 'Inbox'], ['runs', 'Runs'], ['workflows', 'Workflows'], ['tools', 'Tools'], ['rules', 'Rules'], ['audit', 'Audit'], ['now', 'Now']];

/** @param {{ workspaces: Workspace[], only: string }} props */
function WorkspaceSwitch({ workspaces, only }) {
  if (workspaces.length < 2) return html`<p class="workspace clip" title=${plain(workspaces[0]?.folder)}>
    ${plain(workspaces[0]?.name ?? 'no workspace', 60)}</p>`;
  return html`<select class="workspace" aria-label="Workspace" value=${only}
      onChange=${typed((chosen) => filter({ in: chosen }))}>
    <option value="">All ${workspaces.length} workspaces</option>
    ${workspaces.map(({ id, name, problem }) => html`<option value=${id} selected=${id === only}>${plain(name, 60)}
      ${problem ? ' (not shown)' : ''}</option>`)}</select>`;
}

function Offline() {
  const { state, retryAt } = useValue(connection);
  const [, redraw] = useState(0);
  useEffect(() => {
    if (state !== 'offline') return;
    const timer = setInterval(() => redraw((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [state]);
  if (state !== 'offline') return null;
  const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000));
  return html`<div class="offline" role="status">
    <b>Offline.</b> Glovebox does not respond; what is shown may be out of date. If you stopped it, start it again. ${seconds ? `Next attempt in ${seconds} s. ` : 'Trying… '}<button type="button" class="small" onClick=${tryNow}>Try now</button></div>`;
}

/** @param {{ workspaces: Workspace[] }} props */
function Gone({ workspaces }) {
  return workspaces.filter(({ problem }) => problem).map((one) => html`<div class="offline" role="status"><b>
    ${plain(one.name, 60)}:</b> ${plain(one.problem, 300)} <span class="quiet">${plain(one.folder, 200)}</span></div>`);
}

function Brand() {
  return html`<h1 class="brand"><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
    <rect x="1" y="3" width="16" height="12" rx="3" /><circle cx="6" cy="9" r="2.4" /><circle cx="12" cy="9" r="2.4" /></svg>Glovebox</h1>`;
}
/** As index.html has it, until it is known who is here. */
export const Frame = () => html`<div class="shell"><header class="top"><${Brand} /></header></div>`;

/** @param {{ about: About, at: import('./route.js').Route, waiting: number, children: unknown }} props */
export function Shell({ about, at, waiting, children }) {
  const [help, setHelp] = useState(false);
  const { state } = useValue(connection);
  const only = at.query.get('in') ?? '';
  const toFilter = () => /** @type {HTMLElement | null} */ (document.querySelector('main input[type=search]'))?.focus();
  useKeys({ '?': () => setHelp(true), '/': toFilter, ...Object.fromEntries(kPages.map(([page], i) => [String(i + 1), () => go(place(page))])) });
  return html`<div class="shell">
    <a class="skip" href="#main" onClick=${submitted(() => document.getElementById('main')?.focus())}>Skip to content</a>
    <header class="top">
      <${Brand} />
      <${WorkspaceSwitch} workspaces=${about.workspaces} only=${only} />
      <nav aria-label="Pages">${kPages.map(([page, name]) => html`<a href=${place(page)}
          aria-current=${at.page === page ? 'page' : null}>${name}${page === 'inbox' && waiting > 0 && html`<span
              class="count" aria-label=${`${waiting} waiting`}>${waiting}</span>`}</a>`)}</nav>
      <div class="me"><span class=${`light ${state}`} role="img" aria-label=${state === 'live' ? 'live' : state}
          title=${state === 'live' ? 'Live' : 'Not connected'}></span>
        <span class="quiet">${plain(about.role, 20)}</span>
        <button type="button" class="small" aria-label="Keys" title="Keys" onClick=${() => setHelp(true)}>?</button>
        <button type="button" class="small" onClick=${() => signOut()}>Sign out</button></div>
    </header>
    <${Offline} /><${Gone} workspaces=${about.workspaces} />
    <main id="main" tabindex="-1">${children}</main>
    ${help && html`<${KeysHelp} onClose=${() => setHelp(false)} />`}
  </div>`;
}
