// @ts-check
// MCP servers, as each live gateway sees them.
import { post, problemOf, request, within } from './api.js';
import { Capabilities } from './capabilities.js';
import { changed } from './connection.js';
import { Nothing, State, troubles } from './notes.js';
import { html, useState } from './preact.js';
import { useReads } from './read.js';
import { Folded, Words, plain } from './words.js';

/** @typedef {import('../../types/api').Server} Server */
/** @typedef {import('../../types/api').Workspace} Workspace */

/** @param {Server} server */
function statesOf({ disabled, gateways }) {
  if (disabled) return ['disabled'];
  return gateways.length ? [...new Set(gateways.map(({ state }) => state))] : ['not started'];
}

/** @param {{ server: Server, workspace: Workspace, role: string }} props */
function OneServer({ server, workspace, role }) {
  const [said, setSaid] = useState('');
  const [log, setLog] = useState(/** @type {string | null} */ (null));
  const retry = async () => {
    const found = await post(`${within(workspace.id, 'servers', server.name)}/retry`, {}).catch((error) => ({ problem: problemOf(error).message }));
    setSaid(found.problem ?? 'Done: its failures are cleared, and its next use starts it.');
    changed([workspace.id]);
  };
  const showLog = async () => {
    const found = await request(`${within(workspace.id, 'servers', server.name)}/log`).catch((error) => ({ log: problemOf(error).message }));
    setLog(String(found.log || 'It has written nothing, or is reached over HTTP.'));
  };
  const restarts = server.gateways.reduce((sum, one) => sum + one.restarts, 0);
  const errors = [...new Set(server.gateways.map(({ error }) => error).filter(Boolean))];
  return html`<li class="server"><div class="facts-line"><b><${Words} text=${server.name} most=${80} /></b>
      ${statesOf(server).map((state) => html`<${State} state=${state} />`)}
      <span>${plain(server.transport, 10)}</span><span>${server.usable} tools</span>
      ${server.quarantined > 0 && html`<span class="warn">${server.quarantined} quarantined</span>`}
      ${server.refused > 0 && html`<span>${server.refused} refused</span>`}
      ${restarts > 0 && html`<span>${restarts} restarts</span>`}
      ${role !== 'viewer' && html`<button type="button" class="link" onClick=${log === null ? showLog : () => setLog(null)}>
        ${log === null ? 'Log' : 'Hide log'}</button>`}
      ${role === 'operator' && errors.length > 0 && html`<button type="button" class="small" onClick=${retry}>Try again</button>`}</div>
    ${errors.map((error) => html`<p class="warn"><${Words} text=${error} most=${500} /></p>`)}
    ${server.gateways.flatMap(({ remarks }) => remarks).slice(0, 5).map((remark) => html`<p class="quiet"><${Words} text=${remark} most=${300} /></p>`)}
    ${said && html`<p role="status">${plain(said, 300)}</p>`}
    ${log !== null && html`<${Folded} text=${log} lines=${30} label=${`Log of ${plain(server.name, 60)}`} />`}</li>`;
}

/** @param {{ workspaces: Workspace[], role: string }} props */
export function Servers({ workspaces, role }) {
  const wanted = workspaces.map(({ id }) => ({ path: within(id, 'servers'), workspace: id }));
  const seen = /** @type {Map<string, import('./read.js').Seen<{ servers: Server[] }>>} */ (useReads(wanted));
  const read = wanted.map(({ path }) => seen.get(path));
  const any = read.some((one) => one?.data?.servers.length);
  return html`<div class="page"><h2>Servers</h2>
    ${troubles(read).map((problem) => html`<p class="warn" role="status">${plain(problem.message, 300)}</p>`)}
    ${!any && read.every((one) => one?.data) && html`<${Nothing} what="There are no servers." more="Add one with glovebox server add." />`}
    ${workspaces.map((workspace, i) => html`<section class="part" aria-label=${plain(workspace.name, 60)}>
      ${workspaces.length > 1 && html`<h3><${Words} text=${workspace.name} most=${60} /></h3>`}
      <ul class="servers">${(read[i]?.data?.servers ?? []).map((server) => html`<${OneServer} key=${server.name} server=${server}
          workspace=${workspace} role=${role} />`)}</ul></section>`)}
    <${Capabilities} workspaces=${workspaces} /></div>`;
}
