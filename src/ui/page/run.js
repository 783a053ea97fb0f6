// @ts-check
// One run: where it stands, what it gave, what it called, its logs, its time, its code.
import { mayAnswer } from './answer.js';
import { post, problemOf, within } from './api.js';
import { ApprovalCard } from './card.js';
import { Code } from './code.js';
import { JsonTree } from './json_tree.js';
import { Again } from './again.js';
import { Artifacts } from './artifacts.js';
import { Changes } from './changes.js';
import { State, Trouble } from './notes.js';
import { html } from './preact.js';
import { useRead } from './read.js';
import { place } from './route.js';
import { SureButton } from './sure.js';
import { Ago, Took, duration } from './times.js';
import { Waterfall } from './waterfall.js';
import { Folded, Words, plain, size } from './words.js';

/** @typedef {import('../types/api').RunDetail} RunDetail */
/** @typedef {import('../types/api').Outcome} Outcome */
/** @typedef {import('../types/api').Workspace} Workspace */

/** @param {{ title: string, children?: unknown, more?: unknown }} props */
export function Part({ title, children, more }) {
  return html`<section class="part" aria-label=${title}><h3>${title}${more && html` <span class="quiet">${more}</span>`}
    </h3>${children}</section>`;
}

/** @param {{ outcome: Outcome }} props */
function Calls({ outcome }) {
  const calls = outcome.trace ?? [];
  if (!calls.length) return null;
  return html`<${Part} title="Calls" more=${calls.length}><ol class="before traced">
    ${calls.slice(0, 1000).map((one) => html`<li>
    <${State} state=${one.outcome} /> <span class="quiet">${plain(one.op, 20)}</span> <code>
      <${Words} text=${one.target} most=${200} /></code>
    <span class="quiet">${duration(one.durationMs)}${one.bytes ? `, ${size(one.bytes)}` : ''}
      ${one.cached ? ', cached' : ''}</span>
    ${one.arguments && html`<code class="clip">${plain(one.arguments, 300)}</code>`}
    ${one.error && html`<span class="warn"><${Words} text=${one.error} most=${400} /></span>`}</li>`)}</ol><//>`;
}

/** @param {{ outcome: Outcome }} props */
function Ended({ outcome }) {
  const { error, result, logs = [] } = outcome;
  return html`
    ${error && html`<${Part} title="Error"><p><code class="tool">${plain(error.code, 60)}</code> <span class="quiet">
      ${plain(error.type, 40)}${error.toolName ? `, ${plain(error.toolName, 80)}` : ''}</span></p>
      <${Folded} text=${String(error.message ?? '')} label="Error message" />
      ${error.stack && html`<details><summary>Stack</summary><${Folded} text=${String(error.stack)} label="Stack" />
        </details>`}<//>`}
    ${!error && html`<${Part} title="Result"><${JsonTree} value=${result ?? null} /><//>`}
    ${logs.length > 0 && html`<${Part} title="Logs" more=${logs.length}>
      <${Folded} text=${logs.map(String).join('\n')} lines=${16} label="Logs" /><//>`}
    <${Calls} outcome=${outcome} />`;
}

/** What a run says is in no store before its end, so no event reports it. @param {{ at: string | null, workspace: string }} props */
function LiveLog({ at, workspace }) {
  const { data } = /** @type {import('./read.js').Seen<RunDetail>} */ (useRead(at, workspace, 500));
  return data?.log ? html`<${Part} title="Logs" more="so far"><${Folded} text=${data.log.trimEnd()} lines=${16} fromEnd=${true} label="Logs so far" /><//>` : null;
}

/** @param {{ workspace: Workspace, id: string, role: string }} props */
export function InlineApproval({ workspace, id, role }) {
  const { data, problem } = /** @type {import('./read.js').Seen<import('../types/api').Approval>} */ (useRead(within(workspace.id, 'approvals', id), workspace.id));
  if (problem && !data) return html`<p class="warn">${plain(problem.message, 300)}</p>`;
  if (!data) return null;
  return html`<div class="inline"><${ApprovalCard} key=${id} asked=${{ ...data, workspace }} role=${role} /></div>`;
}

/** @param {{ workspace: Workspace, run: RunDetail, role: string }} props */
function Head({ workspace, run, role }) {
  const isOver = run.ended !== null;
  const cancel = async () => {
    try {
      await post(within(workspace.id, 'runs', run.id, 'cancel'), {});
      return 'It is being cancelled.';
    } catch (error) {
      return problemOf(error).message;
    }
  };
  return html`<header class="head">
    <h2><${Words} text=${run.intent || run.about || run.id} most=${300} /></h2>
    <p class="facts-line"><${State} state=${run.status} /> <code>${plain(run.id, 60)}</code> <span>by <b>
      <${Words} text=${run.client || 'no name'} most=${80} /></b></span>
      <span>in <${Words} text=${workspace.name} most=${80} /></span> <span>${plain(run.language, 20)}
        </span> <span>began <${Ago} at=${run.created} suffix=" ago" />
          </span> <span>took <${Took} from=${run.created} to=${run.ended} /></span></p>
    ${!isOver && !run.gatewayRuns && html`<p
        class="warn">No gateway is running in this workspace. The run resumes when one starts (glovebox serve, or glovebox runs resume).</p>`}
    ${!isOver && role === 'operator' && html`<${SureButton} label="Cancel" sure="Cancel this run" onDo=${cancel} />`}
    <${Again} workspace=${workspace} run=${run} role=${role} />
  </header>`;
}

/** @param {{ workspace: Workspace | undefined, id: string, role: string }} props */
export function RunPage({ workspace, id, role }) {
  const at = workspace ? within(workspace.id, 'runs', id) : null;
  const { data: run, problem } = /** @type {import('./read.js').Seen<RunDetail>} */ (useRead(at, workspace?.id ?? ''));
  const trace = /** @type {import('./read.js').Seen<{ spans: import('../types/api').Span[] }>} */ (useRead(at && `${at}/trace`, workspace?.id ?? ''));
  if (!workspace) return html`<${Trouble} what="This workspace is not open in this page."
      todo="Choose another run." />`;
  if (!run) return problem && html`<${Trouble} what=${problem.message}
      todo=${problem.status === 404 ? 'It may have been removed. Choose another run.' : ''} />`;
  const spans = trace.data?.spans ?? [];
  return html`<div class="page">
    <${Head} workspace=${workspace} run=${run} role=${role} />
    ${run.waitsFor?.map((approval) => mayAnswer(role)
      ? html`<${InlineApproval} key=${approval} workspace=${workspace} id=${approval} role=${role} />`
      : html`<p class="warn">It waits for <a href=${place('inbox', workspace.id, approval)}>an answer</a>.</p>`)}
    ${run.ended === null && html`<${LiveLog} at=${at} workspace=${workspace.id} />`}
    ${run.outcome && html`<${Ended} outcome=${run.outcome} />
      <${Changes} workspace=${workspace} run=${run.id} outcome=${run.outcome} role=${role} />
      <${Artifacts} workspace=${workspace} run=${run.id} role=${role} />`}
    ${spans.length > 0 && html`<${Part} title="Time" more=${`${spans.length} spans`}><${Waterfall} spans=${spans} />
      <//>`}
    ${run.code && html`<${Part} title="Code" more="the agent's"><div class="said"><${Code} code=${run.code} /></div>
      <//>`}
    ${run.context && typeof run.context === 'object' && Object.keys(run.context).length ? html`<${Part} title="Context"
        more="what the code was given"><${JsonTree} value=${run.context} open=${1} /><//>` : null}
    ${run.outcome?.metrics && html`<details><summary>Metrics</summary>
      <${JsonTree} value=${run.outcome.metrics} open=${1} /></details>`}
  </div>`;
}
