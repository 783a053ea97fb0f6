// @ts-check
// The calls of a request, with their arguments in full.
import { openCalls } from './answer.js';
import { within } from './api.js';
import { Diff, editsIn } from './diff.js';
import { JsonTree } from './json_tree.js';
import { State } from './notes.js';
import { html } from './preact.js';
import { useRead } from './read.js';
import { Folded, Lines, Words, plain } from './words.js';

/** @typedef {import('../types/api').Asked} Asked */
/** @typedef {import('../types/api').CardCall} CardCall */
/** @typedef {import('../types/api').WrittenFile} WrittenFile */

/** How many calls are shown before all of them are asked for. */
export const kFirstCalls = 20;

/** The open calls that are on the screen: a yes is for these, and for no others. @param {Asked} asked @param {number} most */
export function shownOpen(asked, most) {
  const open = openCalls(asked);
  return asked.card.calls.slice(0, most).map(({ call }) => call).filter((call) => open.includes(call));
}

/** The new content of a file whose present one is known, beside it. @param {CardCall} call @param {WrittenFile | undefined} file */
function overwritten(call, file) {
  const after = ['content', 'contents', 'text', 'file_text'].map((name) => call.arguments?.[name]).find((one) => typeof one === 'string');
  return file && typeof after === 'string' ? [{ name: `${file.path}, compared with the file as it is now`, before: file.text, after }] : [];
}

/** @param {{ call: CardCall, file?: WrittenFile }} props */
export function Arguments({ call, file }) {
  // Both sides of an edit among arguments are the agent's words: what is the same in both may be new to the server, and
  // is in no comparison. So they are shown as well; only what is compared with a file need not be shown twice.
  const written = overwritten(call, file);
  const edits = [...written, ...editsIn(call.arguments)];
  return html`<div class="arguments">
    ${edits.map((edit) => html`<p class="quiet"><${Words} text=${edit.name} most=${300} /></p>
      <${Diff} before=${edit.before} after=${edit.after} label="What would change" />`)}
    ${Object.keys(call.arguments ?? {}).length ? html`<${JsonTree} value=${call.arguments} open=${3}
        elsewhere=${written.map(({ after }) => after)} />` : html`<p
            class="quiet">No arguments.</p>`}
  </div>`;
}

/** The server's own words about its tool, which prove nothing. @param {{ call: CardCall }} props */
function Claims({ call }) {
  const claim = call.claimsReadOnly === true ? 'claims to be read-only' : call.claimsReadOnly === false ? 'says that it makes changes' : '';
  if (!claim && !call.description) return null;
  return html`<details class="claims"><summary>The server's words${claim && `: it ${claim}`}</summary>
    ${call.description ? html`<${Folded} text=${call.description} lines=${6}
        label="The server's description" />` : html`<p class="quiet">No description.</p>`}</details>`;
}

/** @param {{ asked: Asked, call: CardCall, place: number, chosen: number[], file?: WrittenFile, onChoose: ((calls: number[]) => void) |
 *   null }} props */
function Call({ asked, call, place, chosen, file, onChoose }) {
  // One that the run asks no more about is not among the calls of the request.
  const asks = asked.calls.find((one) => one.call === call.call);
  const answered = asks ? asks.approved : 'withdrawn';
  const count = asked.card.calls.length;
  const name = html`<code class="tool"><${Words} text=${`${call.server}.${call.tool}`} most=${200} /></code>`;
  const toggle = () => onChoose?.(chosen.includes(call.call) ? chosen.filter((one) => one !== call.call) : [...chosen, call.call]);
  return html`<li class="call">
    <div class="call-head">
      ${count > 1 && onChoose && answered === null
        ? html`<label><input type="checkbox" checked=${chosen.includes(call.call)} onChange=${toggle} />
          <span class="quiet">${place} of ${count}</span> ${name}</label>`
        : html`<span>${count > 1 && html`<span class="quiet">${place} of ${count} </span>`}${name}</span>`}
      ${answered !== null && html`<${State}
          state=${answered === true ? 'approved' : answered === false ? 'denied' : answered} />`}
    </div>
    <${Arguments} call=${call} file=${file} />
    ${call.why && html`<p class="why">Why this needs approval: <${Lines} text=${call.why.slice(0, 1000)} /></p>`}
    <${Claims} call=${call} />
  </li>`;
}

/** Whether a call names a file and its content, as tools that write files do. @param {CardCall} call */
const writesFile = ({ arguments: args }) => ['path', 'file_path', 'filePath', 'file', 'filename'].some((name) => typeof args?.[name] === 'string') &&
  ['content', 'contents', 'text', 'file_text'].some((name) => typeof args?.[name] === 'string');

/** @param {{ asked: Asked, chosen: number[], most: number, onMore: () => void, onChoose: ((calls: number[]) => void) | null }} props */
export function Calls({ asked, chosen, most, onMore, onChoose }) {
  const { calls } = asked.card;
  const wanted = onChoose && calls.some(writesFile) ? `${within(asked.workspace.id, 'approvals', asked.id)}/files` : null;
  const { data } = /** @type {import('./read.js').Seen<{ files: WrittenFile[] }>} */ (useRead(wanted, asked.workspace.id));
  return html`<ol class="calls" aria-label=${`Calls: ${plain(asked.card.title)}`}>
    ${calls.slice(0, most).map((call, i) => html`<${Call} key=${call.call} asked=${asked} call=${call} place=${i + 1}
        chosen=${chosen} onChoose=${onChoose} file=${data?.files.find((one) => one.call === call.call)} />`)}
    ${calls.length > most && html`<li><button type="button" class="link"
        onClick=${onMore}>Show the other ${calls.length - most} calls</button></li>`}
  </ol>`;
}
