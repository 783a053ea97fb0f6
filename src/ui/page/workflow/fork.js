// @ts-check
// Another workflow that begins where this one was.
import { objectIn } from './again.js';
import { post, problemOf, within } from './api.js';
import { submitted, typed } from './input.js';
import { html, useState } from './preact.js';
import { go, place } from './route.js';
import { SureButton } from './sure.js';
import { plain } from './words.js';

/** @typedef {import('../../types/api').Workflow} Workflow */
/** @typedef {import('../../types/api').Workspace} Workspace */

/** @param {string} workspace @param {string} workflow @param {object} from */
async function fork(workspace, workflow, from) {
  try {
    const { workflow_id } = await post(`${within(workspace, 'workflows', workflow)}/fork`, from);
    go(place('workflows', workspace, workflow_id));
    return '';
  } catch (error) {
    return problemOf(error).message;
  }
}

/** @param {{ workspace: Workspace, workflow: string, checkpoint: number }} props */
export function ForkButton({ workspace, workflow, checkpoint }) {
  const [open, setOpen] = useState(false);
  const [args, setArgs] = useState('{}');
  const [said, setSaid] = useState('');
  const send = async () => {
    try {
      setSaid(await fork(workspace.id, workflow, { checkpoint, args: objectIn(args) }));
    } catch (error) {
      setSaid(`The arguments are not a JSON object: ${/** @type {Error} */ (error).message}`);
    }
  };
  if (!open) return html`<button type="button" class="link" onClick=${() => setOpen(true)}>Fork from here</button>`;
  return html`<form class="tester" onSubmit=${submitted(send)}>
    <label>Other arguments, by task, such as {"b": {"n": 2}} <textarea rows="2" spellcheck=${false} value=${args} onInput=${typed(setArgs)}></textarea></label>
    <div class="buttons"><button type="submit" class="small">Fork from checkpoint ${checkpoint}</button>
      <button type="button" class="small" onClick=${() => setOpen(false)}>Back</button></div>
    <p class="warn" role="status">${plain(said, 400)}</p></form>`;
}

/** The layer in which something failed first, begun anew. @param {{ workspace: Workspace, workflow: Workflow }} props */
export function Retry({ workspace, workflow }) {
  const failed = workflow.tasks.filter(({ status }) => status === 'failed');
  const isOver = ['partial', 'failed', 'aborted', 'dead'].includes(workflow.status);
  const layer = Math.min(...failed.map((task) => task.layer));
  const before = (workflow.checkpoints ?? []).filter(({ kind, label }) => kind === 'layer_start' && Number(label) <= layer).at(-1);
  if (!isOver || !failed.length || !before) return null;
  return html`<${SureButton} label="Retry what failed" sure=${`Restart from layer ${plain(before.label, 20)} as a new workflow`}
      onDo=${() => fork(workspace.id, workflow.workflow_id, { checkpoint: before.checkpoint })} />`;
}
