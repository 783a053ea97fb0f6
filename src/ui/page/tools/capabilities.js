// @ts-check
// Published code of a workspace: which versions are pinned, and what they may call.
import { within } from './api.js';
import { Code } from './code.js';
import { State, troubles } from './notes.js';
import { html } from './preact.js';
import { useReads } from './read.js';
import { Ago } from './times.js';
import { Words, plain } from './words.js';

/** @typedef {import('../../types/api').Capability} Capability */
/** @typedef {import('../../types/api').Workspace} Workspace */

/** @param {{ words: string, names: string[] }} props */
const Names = ({ words, names }) => names.length > 0 && html`<p>${words} ${names.map((name, i) => html`${i > 0 && ', '}<code><${Words} text=${name} most=${120} /></code>`)}</p>`;

/** @param {{ capability: Capability }} props */
function OneCapability({ capability: one }) {
  return html`<li class="server"><div class="facts-line"><b><${Words} text=${one.call} most=${120} /></b>
      <${State} state=${one.approved ? 'approved' : 'waiting'} /><span>version <code>${plain(one.version, 20)}</code></span>
      ${one.replaced.length > 0 && html`<span>replaced ${one.replaced.length} earlier</span>`}
      ${one.fetched && html`<span>fetched <${Ago} at=${one.fetched} suffix=" ago" /></span>`}</div>
    ${one.problem && html`<p class="warn"><${Words} text=${one.problem} most=${400} /></p>`}
    ${one.description && html`<p><${Words} text=${one.description} most=${400} /></p>`}
    <${Names} words="May call" names=${one.tools ?? []} />
    <${Names} words="Receives the values of" names=${one.env ?? []} />
    <${Names} words="Needs" names=${(one.servers ?? []).map(({ name, launch }) => `${name}: ${launch}`)} />
    ${one.tools && !one.tools.length && html`<p class="quiet">It calls no tool.</p>`}
    <details><summary>Pin and code</summary><p><code><${Words} text=${one.fqdn} most=${200} /></code></p>
      <p class="quiet"><code><${Words} text=${one.integrity} most=${200} /></code></p>
      ${one.code && html`<${Code} code=${one.code} most=${20} label="Its code" />`}</details></li>`;
}

/** @param {{ workspaces: Workspace[] }} props */
export function Capabilities({ workspaces }) {
  const wanted = workspaces.map(({ id }) => ({ path: within(id, 'capabilities'), workspace: id }));
  const seen = /** @type {Map<string, import('./read.js').Seen<{ capabilities: Capability[] }>>} */ (useReads(wanted));
  const read = wanted.map(({ path }) => seen.get(path));
  if (!read.some((one) => one?.data?.capabilities.length || one?.problem)) return null;
  return html`<section class="part" aria-label="Capabilities"><h2>Capabilities</h2>
    ${troubles(read).map((problem) => html`<p class="warn" role="status">${plain(problem.message, 300)}</p>`)}
    ${workspaces.map((workspace, i) => html`${workspaces.length > 1 && html`<h3><${Words} text=${workspace.name} most=${60} /></h3>`}
      <ul class="servers">${(read[i]?.data?.capabilities ?? []).map((one) => html`<${OneCapability} key=${one.fqdn} capability=${one} />`)}</ul>`)}</section>`;
}
