// @ts-check
// One workflow: its tasks, what it waits for, and what can be done with it.
import { mayAnswer } from './answer.js';
import { post, problemOf, within } from './api.js';
import { changed } from './connection.js';
import { Dag } from './dag.js';
import { JsonTree } from './json_tree.js';
import { State, Trouble } from './notes.js';
import { html, useState } from './preact.js';
import { useRead } from './read.js';
import { place } from './route.js';
import { Attempts } from './attempts.js';
import { ForkButton, Retry } from './fork.js';
import { Replan } from './replan.js';
import { InlineApproval, Part } from './run.js';
import { SureButton } from './sure.js';
import { useSeen } from './shown.js';
import { Ago } from './times.js';
import { Folded, Words, plain } from './words.js';

/** @typedef {import('../types/api').Workflow} Workflow */
/** @typedef {import('../types/api').Wait} Wait */
/** @typedef {import('../types/api').Task} Task */
/** @typedef {import('../types/api').Workspace} Workspace */
/** @typedef {(command: object) => Promise<string>} Command */

const kEnded = ['finished', 'partial', 'failed', 'aborted', 'dead'];

/** After a layer: the tasks that are next. The yes is for these, by their digest.
 * @param {{ wait: Wait, command: Command, role: string }} props */
function LayerDecision({ wait, command, role }) {
  const [said, setSaid] = useState('');
  const isSeen = useSeen(String(wait.digest));
  const send = async (/** @type {object} */ one) => setSaid(isSeen() ? await command(one) : 'Not sent: it had only just appeared or changed. Read it, then answer.');
  return html`<div class="question">
    <h3>How should it continue after layer ${wait.layer}? <span
        class="quiet">asked of ${wait.by === 'human' ? 'a person' : plain(wait.by, 20)}</span></h3>
    ${wait.tasks !== undefined && html`<p class="quiet">Next, according to the definition:</p>
      <div class="next" tabindex="0" role="group" aria-label="The next tasks">
        <${JsonTree} value=${wait.tasks} open=${3} /></div>`}
    ${mayAnswer(role) ? html`<div class="buttons">
      <button type="button" class="yes"
          onClick=${() => send({ type: 'approval_response', approved: true, digest: wait.digest })}>Continue with these tasks</button>
      ${role === 'operator' && html`<button type="button"
          onClick=${() => send({ type: 'skip_layer' })}>Skip these tasks</button>`}
      <button type="button" class="no"
          onClick=${() => send({ type: 'approval_response', approved: false, digest: wait.digest })}>No: end the workflow</button>
    </div>` : html`<p class="quiet">Your token has the role ${plain(role, 20)}: it can read, but not answer.</p>`}
    ${said && html`<p role="status">${plain(said, 600)}</p>`}
  </div>`;
}

/** @param {{ wait: Wait, command: Command, role: string }} props */
function UnknownDecision({ wait, command, role }) {
  const [said, setSaid] = useState('');
  const send = async (/** @type {string} */ decision) => setSaid(await command({ type: 'approval_response', task: wait.task, decision }));
  return html`<div class="question">
    <h3>What happened to <code><${Words} text=${wait.task} most=${80} /></code>?</h3>
    <p>The gateway ended in the middle of a call that must not be made twice. Find out what happened, then decide.</p>
    ${mayAnswer(role) && html`<div class="buttons">
      <button type="button" onClick=${() => send('retry')}>It did not happen: retry</button>
      <button type="button" onClick=${() => send('skip')}>It happened: continue</button>
      <button type="button" class="no" onClick=${() => send('fail')}>It failed</button></div>`}
    ${said && html`<p role="status">${plain(said, 600)}</p>`}
  </div>`;
}

/** @param {{ workspace: Workspace, wait: Wait, command: Command, role: string }} props */
function Decision({ workspace, wait, command, role }) {
  if (wait.kind === 'approval' && wait.approval) return html`<${InlineApproval} workspace=${workspace}
      id=${wait.approval} role=${role} />`;
  return wait.kind === 'layer' ? html`<${LayerDecision} wait=${wait} command=${command}
      role=${role} />` : html`<${UnknownDecision} wait=${wait} command=${command} role=${role} />`;
}

/** @param {{ workspace: Workspace, task: Task, at: string, last: number }} props */
function TaskDetail({ workspace, task, at, last }) {
  return html`<${Part} title="Task"><p class="facts-line"><b><${Words} text=${task.id} most=${120} />
    </b> <${State} state=${task.status} />
      ${task.tool && html`<code><${Words} text=${task.tool} most=${120} />
        </code>`} ${task.attempt ? html`<span>attempt ${task.attempt}</span>` : null}
      ${task.run && html`<a href=${place('runs', workspace.id, task.run)}>its run</a>`}</p>
    ${task.error && html`<p><code class="tool">${plain(task.error.code, 60)}</code></p>
      <${Folded} text=${String(task.error.message ?? '')} label="Error message" />`}
    ${task.output !== undefined && html`<${JsonTree} value=${task.output} />`}
    ${task.outputBytes !== undefined && html`<p class="quiet">Its output has ${task.outputBytes} bytes.</p>`}
    <${Attempts} at=${at} workspace=${workspace.id} task=${task.id} last=${last} />
  <//>`;
}

/** @param {{ workflow: Workflow, command: Command }} props */
function Commands({ workflow, command }) {
  if (kEnded.includes(workflow.status)) return null;
  const isPaused = workflow.status === 'paused';
  return html`<div class="buttons">
    ${isPaused ? html`<${SureButton} label="Continue" sure="Continue it" onDo=${() => command({ type: 'continue' })} />`
      : html`<${SureButton} label="Pause" sure="Pause it" onDo=${() => command({ type: 'pause' })} />`}
    <${SureButton} label="Abort" sure="Abort this workflow" onDo=${() => command({ type: 'abort' })} />
  </div>`;
}

/** @param {{ workspace: Workspace, workflow: Workflow, command: Command, role: string }} props */
function Checkpoints({ workspace, workflow, command, role }) {
  const list = workflow.checkpoints ?? [];
  const canRollBack = role === 'operator' && !kEnded.includes(workflow.status);
  if (!list.length) return null;
  return html`<${Part} title="Checkpoints" more=${list.length}><ol class="before">
    ${[...list].reverse().slice(0, 50).map((one) => html`<li>
    <b>${one.checkpoint}</b> <${Words} text=${one.kind} most=${40} /> <${Words} text=${one.label} most=${120} /> <${Ago}
        at=${one.at} suffix=" ago" />
    ${canRollBack && html`<${SureButton} label="Roll back" sure=${`Forget what came after ${one.checkpoint}`}
        onDo=${() => command({ type: 'rollback', checkpoint: one.checkpoint })} />`}
    ${role === 'operator' && html`<${ForkButton} workspace=${workspace} workflow=${workflow.workflow_id} checkpoint=${one.checkpoint} />`}</li>`)}</ol><//>`;
}

/** @param {{ at: string, workspace: string, last: number }} props */
function Events({ at, workspace, last }) {
  const after = Math.max(0, last - 100);
  const { data } = /** @type {import('./read.js').Seen<{ events: import('../types/api').JsonObject[] }>} */ (useRead(`${at}/events?after=${after}`, workspace));
  const events = data?.events ?? [];
  if (!events.length) return null;
  return html`<${Part} title="Events" more=${`the last ${events.length}`}><ol class="before">
    ${[...events].reverse().map((one) => html`<li>
    <span class="quiet">${String(one.event)}</span> <${Words} text=${one.type}
        most=${60} /> ${one.task && html`<code>${plain(one.task, 60)}
          </code>`} <${Ago} at=${String(one.at)} suffix=" ago" /></li>`)}</ol><//>`;
}

/** @param {{ workspace: Workspace | undefined, id: string, role: string }} props */
export function WorkflowPage({ workspace, id, role }) {
  const at = workspace ? within(workspace.id, 'workflows', id) : '';
  const { data: workflow, problem } = /** @type {import('./read.js').Seen<Workflow & { event?: number }>} */ (useRead(at || null, workspace?.id ?? ''));
  const [selected, setSelected] = useState('');
  if (!workspace) return html`<${Trouble} what="This workspace is not open in this page."
      todo="Choose another workflow." />`;
  if (!workflow) return problem && html`<${Trouble} what=${problem.message} />`;
  /** @type {Command} */ const command = async (one) => {
    try {
      await post(`${at}/commands`, one);
      return 'Sent.';
    } catch (error) {
      return problemOf(error).message;
    } finally {
      changed([workspace.id]);
    }
  };
  const task = workflow.tasks.find((one) => one.id === selected);
  return html`<div class="page">
    <header class="head"><h2><${Words} text=${workflow.intent || workflow.workflow_id} most=${300} /></h2>
      <p class="facts-line"><${State} state=${workflow.status} /> <code>${plain(workflow.workflow_id, 60)}
        </code> <span>in <${Words} text=${workspace.name} most=${80} />
          </span> <span>began <${Ago} at=${workflow.created} suffix=" ago" /></span>
        ${workflow.forked_from && html`<span>forked from <code>${plain(workflow.forked_from, 60)}</code></span>`}</p>
      ${role === 'operator' && html`<${Commands} workflow=${workflow} command=${command} />
        <${Retry} workspace=${workspace} workflow=${workflow} />`}</header>
    ${workflow.waitsFor.map((wait) => html`<${Decision}
        key=${`${wait.kind}/${wait.approval ?? wait.task ?? wait.digest}`} workspace=${workspace} wait=${wait}
            command=${command} role=${role} />`)}
    <${Part} title="Tasks" more=${workflow.tasks.length}><${Dag} tasks=${workflow.tasks} selected=${selected}
        onSelect=${setSelected} /><//>
    ${task && html`<${TaskDetail} workspace=${workspace} task=${task} at=${at} last=${workflow.event ?? 0} />`}
    ${workflow.outcome !== undefined && html`<${Part} title="Outcome"><${JsonTree} value=${workflow.outcome} /><//>`}
    ${role === 'operator' && html`<${Replan} workflow=${workflow} command=${command} />`}
    <${Checkpoints} workspace=${workspace} workflow=${workflow} command=${command} role=${role} />
    <${Events} at=${at} workspace=${workspace.id} last=${workflow.event ?? 0} />
  </div>`;
}
