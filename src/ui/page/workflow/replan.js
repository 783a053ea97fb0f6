// @ts-check
// Other tasks in place of those that are pending: edited as JSON, and shown as a diff before they are sent.
import { Diff } from './diff.js';
import { submitted, typed } from './input.js';
import { html, useMemo, useState } from './preact.js';
import { plain } from './words.js';

/** @typedef {import('../../types/api').Workflow} Workflow */

const kEnded = ['finished', 'partial', 'failed', 'aborted', 'dead'];

/** @param {{ workflow: Workflow, command: (one: object) => Promise<string> }} props */
export function Replan({ workflow, command }) {
  const pending = new Set(workflow.tasks.filter(({ status }) => status === 'pending').map(({ id }) => id));
  const now = useMemo(() => JSON.stringify((workflow.plan ?? []).filter(({ id }) => pending.has(String(id))), null, 2), [workflow]);
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const [said, setSaid] = useState('');
  if (kEnded.includes(workflow.status) || !pending.size) return null;
  const send = async () => {
    let tasks;
    try {
      tasks = JSON.parse(text ?? now);
    } catch (error) {
      return setSaid(`This is not JSON: ${/** @type {Error} */ (error).message}`);
    }
    setSaid(Array.isArray(tasks) ? await command({ type: 'replan_dag', tasks }) : 'This must be a list of tasks: [{"id": …}, …]');
  };
  return html`<details class="part"><summary>Change the plan: ${pending.size} ${pending.size === 1 ? 'task is' : 'tasks are'} pending</summary>
    <form class="tester" onSubmit=${submitted(send)}>
      <label>Tasks that replace the pending ones <textarea rows=${Math.min(18, (text ?? now).split('\n').length + 1)} spellcheck=${false}
          value=${text ?? now} onInput=${typed(setText)}></textarea></label>
      ${text !== null && text !== now && html`<${Diff} before=${now} after=${text} label="What changes in the plan" />`}
      <div class="buttons"><button type="submit" disabled=${text === null || text === now}>Replace the pending tasks</button>
        ${text !== null && html`<button type="button" onClick=${() => setText(null)}>Reset</button>`}</div>
      <p role="status">${plain(said, 600)}</p></form></details>`;
}
