// @ts-check
// The same code again, with another context or edited; and the run as a test that can be repeated.
import { post, problemOf, requestText, within } from './api.js';
import { download } from './download.js';
import { submitted, typed } from './input.js';
import { html, useState } from './preact.js';
import { go, place } from './route.js';
import { plain } from './words.js';

/** @typedef {import('../../types/api').RunDetail} RunDetail */
/** @typedef {import('../../types/api').Workspace} Workspace */

/** @param {string} text */
export function objectIn(text) {
  const value = JSON.parse(text.trim() || '{}');
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error('it is not an object');
  return value;
}

/** @param {{ workspace: Workspace, run: RunDetail }} props */
function AgainForm({ workspace, run }) {
  const [code, setCode] = useState(run.code);
  const [context, setContext] = useState(JSON.stringify(run.context ?? {}, null, 2));
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async () => {
    let given;
    try {
      given = objectIn(context);
    } catch (error) {
      return setSaid(`The context is not a JSON object: ${/** @type {Error} */ (error).message}`);
    }
    setBusy(true);
    try {
      const intent = run.intent ? run.intent : `Again: ${run.about}`.slice(0, 200);
      const { run: id } = await post(within(workspace.id, 'runs'), { code, context: given, intent, language: run.language });
      go(place('runs', workspace.id, id));
    } catch (error) {
      setSaid(problemOf(error).message);
    }
    setBusy(false);
  };
  return html`<form class="tester" onSubmit=${submitted(send)}>
    <label>Code <textarea rows=${Math.min(16, code.split('\n').length + 1)} spellcheck=${false} value=${code} onInput=${typed(setCode)}></textarea></label>
    <label>Context <textarea rows=${Math.min(10, context.split('\n').length + 1)} spellcheck=${false} value=${context} onInput=${typed(setContext)}></textarea></label>
    <p class="quiet">It runs as you, under the rules: calls that need approval appear in the inbox.</p>
    <button type="submit" disabled=${busy || !code.trim()}>Run</button>
    <p role="status" class="warn">${plain(said, 600)}</p></form>`;
}

/** @param {{ workspace: Workspace, run: RunDetail }} props */
function AsTest({ workspace, run }) {
  const [said, setSaid] = useState('');
  const name = `${run.id}.json`;
  const save = async () => {
    try {
      download(name, await requestText(`${within(workspace.id, 'runs', run.id)}/case`));
      setSaid(`Repeat it with: glovebox test ${name}`);
    } catch (error) {
      setSaid(problemOf(error).message);
    }
  };
  return html`<button type="button" class="small" onClick=${save}>Save as a test</button> <span class="quiet" role="status">${plain(said, 400)}</span>`;
}

/** @param {{ workspace: Workspace, run: RunDetail, role: string }} props */
export function Again({ workspace, run, role }) {
  const [open, setOpen] = useState(false);
  return html`<div class="buttons">
    ${role === 'operator' && html`<button type="button" class="small" aria-expanded=${open} onClick=${() => setOpen(!open)}>Run again with …</button>`}
    ${run.ended !== null && role !== 'viewer' && html`<${AsTest} workspace=${workspace} run=${run} />`}</div>
    ${open && html`<${AgainForm} workspace=${workspace} run=${run} />`}`;
}
