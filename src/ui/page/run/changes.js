// @ts-check
// Files that a run changed: on the disk, or in a layer of its own that a person commits or drops.
import { mayAnswer } from './answer.js';
import { post, problemOf, within } from './api.js';
import { changed } from './connection.js';
import { Diff } from './diff.js';
import { html } from './preact.js';
import { useRead } from './read.js';
import { SureButton } from './sure.js';
import { Words, plain, size } from './words.js';

/** @typedef {import('../../types/api').ChangedFile} ChangedFile */
/** @typedef {import('../../types/api').KeptChanges} KeptChanges */
/** @typedef {import('../../types/api').Outcome} Outcome */
/** @typedef {import('../../types/api').Workspace} Workspace */

/** @param {number | null} bytes */
const sizeOrNone = (bytes) => bytes === null ? 'none' : size(bytes);

/** @param {{ file: ChangedFile }} props */
function File({ file }) {
  const isShown = (file.before ?? file.after ?? null) !== null && (file.bytesBefore === null || file.before !== null) && (file.bytesAfter === null || file.after !== null);
  return html`<li class="change"><p class="facts-line"><span>${plain(file.kind, 20)}</span> <code><${Words} text=${file.path} most=${300} /></code>
      <span>${sizeOrNone(file.bytesBefore)} → ${sizeOrNone(file.bytesAfter)}</span></p>
    ${isShown ? html`<${Diff} before=${file.before ?? ''} after=${file.after ?? ''} label=${`What changed in ${plain(file.path, 120)}`} />` : null}</li>`;
}

const kStates = /** @type {Record<string, string>} */ ({
  kept: 'not on the disk yet', committed: 'written to the disk', dropped: 'dropped',
});

/** @param {{ workspace: Workspace, run: string, outcome: Outcome, role: string }} props */
export function Changes({ workspace, run, outcome, role }) {
  const path = `${within(workspace.id, 'runs', run)}/changes`;
  const listed = outcome.changes ?? [];
  const mayBeKept = listed.length > 0 && !outcome.committed && !outcome.error && mayAnswer(role);
  const { data: kept } = /** @type {import('./read.js').Seen<KeptChanges>} */ (useRead(mayBeKept ? path : null, workspace.id));
  if (!listed.length) return null;
  const settle = (/** @type {string} */ decision, /** @type {string} */ said) => async () => {
    try {
      await post(path, { decision });
      return said;
    } catch (error) {
      return problemOf(error).message;
    } finally {
      changed([workspace.id]);
    }
  };
  const state = kept ? kStates[kept.state] ?? kept.state : outcome.committed ? kStates.committed : 'not written to the disk';
  /** @type {ChangedFile[]} */ const files = kept?.files.length ? kept.files : listed.map((one) => ({ ...one, before: null, after: null }));
  return html`<section class="part" aria-label="Files"><h3>Files <span class="quiet">${listed.length}, ${plain(state, 60)}</span></h3>
    <ul class="changes">${files.map((file) => html`<${File} key=${file.path} file=${file} />`)}</ul>
    ${kept?.state === 'kept' && role === 'operator' && html`<div class="buttons">
      <${SureButton} label="Write to the disk" sure=${`Write ${listed.length === 1 ? 'this change' : `these ${listed.length} changes`}`} onDo=${settle('commit', 'Written to the disk.')} />
      <${SureButton} label="Drop" sure="Drop them for good" onDo=${settle('drop', 'Dropped.')} />
      <span class="quiet">Kept for an hour, as long as the gateway runs.</span></div>`}
    ${mayBeKept && !kept && html`<p class="quiet">They were in the overlay of the run, which is gone.</p>`}</section>`;
}
