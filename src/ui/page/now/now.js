// @ts-check
// How the gateways stand: what they did in the last hour, who speaks with them, and the config that they obey.
import { mayAnswer } from './answer.js';
import { within } from './api.js';
import { Chart, levels, perMinute } from './chart.js';
import { Nothing, troubles } from './notes.js';
import { html } from './preact.js';
import { useRead } from './read.js';
import { Ago } from './times.js';
import { Folded, Words, plain } from './words.js';

/** @typedef {import('../../types/api').Workspace} Workspace */
/** @typedef {import('../../types/api').Metrics} Metrics */
/** @typedef {import('../../types/api').Latency} Latency */
/** @typedef {import('../../types/api').Sample} Sample */
/** @template T @typedef {import('./read.js').Seen<T>} Seen */

/** What was measured in a minute holds for it. @param {Latency[]} list @param {(one: Latency) => number} of */
const minutes = (list, of) => list.flatMap((one) => [{ at: one.at, value: of(one) }, { at: one.at + 60_000, value: of(one) }]);

/** @param {{ metrics: Metrics }} props */
function Charts({ metrics: { from, to, series, latency } }) {
  const rate = (/** @type {(sample: Sample) => number} */ count) => series.map(({ points }) => perMinute(points, count, from, to));
  const level = (/** @type {(sample: Sample) => number} */ of) => series.filter(({ lives }) => lives).map(({ points }) => levels(points, of, to));
  return html`<div class="charts">
    <${Chart} title="Runs that ended" unit="a minute" from=${from} to=${to} lines=${rate(({ ended }) => ended)} />
    <${Chart} title="Runs that failed" unit="a minute" from=${from} to=${to} lines=${rate(({ failed }) => failed)} />
    <${Chart} title="Run time" unit="ms" names=${['median', '95th percentile']} from=${from} to=${to}
        lines=${[minutes(latency, ({ p50 }) => p50), minutes(latency, ({ p95 }) => p95)]} last=${latency.at(-1)?.p50 ?? 0} />
    <${Chart} title="Tool calls" unit="a minute" from=${from} to=${to} lines=${rate(({ calls }) => calls)} />
    <${Chart} title="Running" unit="runs" from=${from} to=${to} lines=${level(({ live }) => live)} />
    <${Chart} title="Queued" unit="runs" from=${from} to=${to} lines=${level(({ queued }) => queued)} />
    <${Chart} title="Sandboxes waiting" unit="guests" from=${from} to=${to} lines=${level(({ waiting }) => waiting)} />
    <${Chart} title="Gateway memory" unit="MB" from=${from} to=${to} lines=${level(({ memoryMb }) => memoryMb)} />
  </div>`;
}

/** @param {{ workspace: Workspace }} props */
function ConfigPart({ workspace }) {
  const { data } = /** @type {Seen<import('../../types/api').Config>} */ (useRead(within(workspace.id, 'config'), workspace.id));
  if (!data) return null;
  return html`<details class="part"><summary>The config in force</summary>
    <p class="quiet"><${Words} text=${data.path} most=${300} />, SHA-256 <code>${plain(data.digest, 16)}</code></p>
    ${data.untrusted && html`<p class="warn"><${Words} text=${data.untrusted} most=${600} /></p>`}
    <${Folded} text=${data.text || '{}'} lines=${40} label="glovebox.json, without secrets" /></details>`;
}

/** @param {{ workspace: Workspace, several: boolean, role: string }} props */
function WorkspaceNow({ workspace, several, role }) {
  const metrics = /** @type {Seen<Metrics>} */ (useRead(within(workspace.id, 'metrics'), workspace.id));
  const gateways = /** @type {Seen<{ gateways: import('../../types/api').Gateway[] }>} */ (useRead(within(workspace.id, 'gateways'), workspace.id));
  const sessions = /** @type {Seen<{ sessions: import('../../types/api').ClientSession[] }>} */ (useRead(within(workspace.id, 'sessions'), workspace.id));
  const list = gateways.data?.gateways ?? [];
  return html`<section class="part" aria-label=${plain(workspace.name, 60)}>
    <h2>${several ? html`<${Words} text=${workspace.name} most=${60} />` : 'Now'}</h2>
    ${troubles([metrics, gateways, sessions]).map((problem) => html`<p class="warn" role="status">${plain(problem.message, 300)}</p>`)}
    <h3>Gateways</h3>
    ${list.length ? html`<ul class="before">${list.map((one) => html`<li><b>${plain(one.host, 60)}</b> <span>process ${one.pid}</span>
      <span>version ${plain(one.version, 30)}</span> <span class="quiet">for <${Ago} at=${one.started} /></span></li>`)}</ul>`
      : gateways.data && html`<p class="quiet">None is running in this workspace.</p>`}
    ${metrics.data?.series.length ? html`<h3>The last hour</h3><${Charts} metrics=${metrics.data} />`
      : metrics.data && html`<${Nothing} what="Nothing was measured in the last hour." more="glovebox serve collects figures while it runs." />`}
    ${(sessions.data?.sessions.length ?? 0) > 0 && html`<h3>Conversations</h3><ul class="before">
      ${sessions.data?.sessions.slice(0, 20).map((one) => html`<li><b><${Words} text=${one.client || 'no name'} most=${60} /></b>
        <span>${one.runs} runs</span> <span class="quiet">last <${Ago} at=${one.last} suffix=" ago" />${one.gatewayRuns ? '' : ', its gateway has ended'}</span></li>`)}</ul>`}
    ${mayAnswer(role) && html`<${ConfigPart} workspace=${workspace} />`}
  </section>`;
}

/** @param {{ workspaces: Workspace[], role: string }} props */
export function NowPage({ workspaces, role }) {
  return html`<div class="page wide">${workspaces.map((workspace) => html`<${WorkspaceNow} key=${workspace.id} workspace=${workspace}
    several=${workspaces.length > 1} role=${role} />`)}</div>`;
}
