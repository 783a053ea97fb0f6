// @ts-check
// One tool: what it is declared as, what has changed in it since it was pinned, and a try of it, under the rules.
import { post, problemOf, within } from './api.js';
import { Code } from './code.js';
import { changed } from './connection.js';
import { submitted, typed } from './input.js';
import { JsonTree } from './json_tree.js';
import { State, Trouble } from './notes.js';
import { html, useState } from './preact.js';
import { useRead } from './read.js';
import { place } from './route.js';
import { useSeen } from './shown.js';
import { Folded, Lines, Words, plain } from './words.js';

/** @typedef {import('../../types/api').ToolDetail} ToolDetail */
/** @typedef {import('../../types/api').Workspace} Workspace */

const kKinds = /** @type {Record<string, string>} */ ({ '-': 'gone', '+': 'new' });

/** What the server's words were, and are now. @param {{ text: string }} props */
function Changes({ text }) {
  return html`<pre class="block diff" tabindex="0" role="group" aria-label="What has changed">${text.split('\n').map((line) => html`
    <span class=${`line ${kKinds[line[0]] ?? 'same'}`}><${Lines} text=${line} />${'\n'}</span>`)}</pre>`;
}

/** @param {{ tool: ToolDetail, workspace: Workspace, id: string, role: string }} props */
function Quarantine({ tool, workspace, id, role }) {
  const [said, setSaid] = useState('');
  const isSeen = useSeen(`${id}/${tool.hash}`);
  const approve = async () => {
    if (!isSeen()) return setSaid('Not sent: the definition had only just appeared. Read it, then approve.');
    const found = await post(`${within(workspace.id, 'tools', id)}/approve`, { hash: tool.hash }).catch((error) => ({ problem: problemOf(error).message }));
    setSaid(found.problem ?? 'Approved: this definition is pinned now.');
    changed([workspace.id]);
  };
  return html`<section class="question" aria-label="Quarantine">
    <p><b>Quarantined.</b> <${Words} text=${tool.reason} most=${400} /> No code can call it until a person approves its definition.</p>
    ${tool.diff ? html`<${Changes} text=${tool.diff} />` : html`<p class="quiet">There is no earlier definition to compare it with.</p>`}
    ${said && html`<p role="status">${plain(said, 300)}</p>`}
    ${role === 'operator' ? html`<div class="buttons"><button type="button" class="yes" onClick=${approve}>Approve this definition</button></div>`
      : html`<p class="quiet">An operator approves it, here or with: glovebox tools approve ${plain(`${tool.server}.${tool.name}`, 100)}</p>`}
  </section>`;
}

/** A run of one call, like an agent's: the rules hold, and what they ask about waits in the inbox.
 * @param {{ tool: ToolDetail, workspace: Workspace }} props */
function Try({ tool, workspace }) {
  const [args, setArgs] = useState('{}');
  const [said, setSaid] = useState(/** @type {{ text: string, run: string } | null} */ (null));
  const run = async () => {
    let context;
    try {
      context = JSON.parse(args);
    } catch {
      return setSaid({ text: 'The arguments are not JSON.', run: '' });
    }
    const code = `return await mcp[${JSON.stringify(tool.server)}][${JSON.stringify(tool.name)}](context)`;
    const found = await post(within(workspace.id, 'runs'), { code, context, intent: `Try ${tool.server}.${tool.name}`, check: 'off' })
      .catch((error) => ({ problem: problemOf(error).message }));
    setSaid(found.run ? { text: 'It is running.', run: found.run } : { text: found.problem, run: '' });
  };
  return html`<details class="part"><summary>Try it, under the rules</summary>
    <form class="tester" onSubmit=${submitted(run)}><label>Arguments <textarea rows="3" spellcheck=${false} value=${args}
        onInput=${typed(setArgs)}></textarea></label><button type="submit">Run</button>
      <p role="status">${said && plain(said.text, 300)} ${said?.run && html`<a href=${place('runs', workspace.id, said.run)}>Show it</a>`}</p></form></details>`;
}

/** @param {{ workspace: Workspace, id: string, role: string }} props */
export function ToolPage({ workspace, id, role }) {
  const { data: tool, problem } = /** @type {import('./read.js').Seen<ToolDetail>} */ (useRead(within(workspace.id, 'tools', id), workspace.id));
  if (problem && !tool) return html`<${Trouble} what=${problem.message} todo="Choose another tool." />`;
  if (!tool) return null;
  return html`<div class="page">
    <div class="head"><h2><${Words} text=${`${tool.server}.${tool.name}`} most=${200} /></h2>
      <div class="facts-line"><${State} state=${tool.state} />${tool.title && html`<span><${Words} text=${tool.title} most=${120} /></span>`}
        <code>${plain(tool.hash, 24)}</code></div></div>
    ${tool.state === 'quarantined' && html`<${Quarantine} tool=${tool} workspace=${workspace} id=${id} role=${role} />`}
    ${tool.state === 'refused' && html`<p class="warn"><${Words} text=${tool.reason} most=${400} /></p>`}
    <section class="part"><h3>The server's words</h3>
      ${tool.description ? html`<${Folded} text=${tool.description} lines=${12} label="The server's description" />` : html`<p class="quiet">No description.</p>`}</section>
    ${tool.declaration && html`<section class="part"><h3>Declaration</h3><${Code} code=${tool.declaration} most=${30} asking=${[]}
        label="What code is checked against" /></section>`}
    <section class="part"><h3>Arguments</h3><${JsonTree} value=${tool.inputSchema} open=${2} /></section>
    ${tool.outputSchema && html`<section class="part"><h3>Result</h3><${JsonTree} value=${tool.outputSchema} open=${1} /></section>`}
    ${tool.annotations && html`<section class="part"><h3>Hints of the server, which grant nothing</h3><${JsonTree} value=${tool.annotations} /></section>`}
    ${role === 'operator' && tool.state === 'usable' && html`<${Try} tool=${tool} workspace=${workspace} />`}
  </div>`;
}
