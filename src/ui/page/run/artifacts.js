// @ts-check
// What a run has emitted. Code made it: pictures are drawn as pictures, texts are text, and all else is only a download.
import { mayAnswer } from './answer.js';
import { problemOf, requestBytes, within } from './api.js';
import { download } from './download.js';
import { html, useEffect, useState } from './preact.js';
import { useRead } from './read.js';
import { Folded, Words, plain, size } from './words.js';

/** @typedef {import('../../types/api').Artifact} Artifact */
/** @typedef {import('../../types/api').Workspace} Workspace */

const kPictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];
const kTexts = ['text/plain', 'text/csv', 'text/markdown', 'text/html', 'application/json'];
const kMostPicture = 8 << 20;
const kMostText = 1 << 20;

/** @param {Artifact} artifact */
const isPicture = ({ type, size: bytes }) => kPictures.includes(type) && bytes <= kMostPicture;
/** @param {Artifact} artifact */
const isText = ({ type, size: bytes }) => kTexts.includes(type.split(';')[0]) && bytes <= kMostText;

/** As an address of its own bytes: what is drawn runs nothing and loads nothing. @param {ArrayBuffer} bytes @param {string} type @returns {Promise<string>} */
const dataAddress = (bytes, type) => new Promise((done, fail) => {
  const reader = new FileReader();
  reader.onload = () => done(String(reader.result));
  reader.onerror = () => fail(reader.error);
  reader.readAsDataURL(new Blob([bytes], { type }));
});

/** @param {{ artifact: Artifact, path: string }} props */
function Shown({ artifact, path }) {
  const [picture, setPicture] = useState('');
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const [problem, setProblem] = useState('');
  const [wanted, setWanted] = useState(isPicture(artifact));
  useEffect(() => {
    if (!wanted) return;
    requestBytes(path).then(async (bytes) => {
      if (isPicture(artifact)) setPicture(await dataAddress(bytes, artifact.type));
      else setText(new TextDecoder().decode(bytes));
    }).catch((error) => setProblem(problemOf(error).message));
  }, [wanted, artifact.digest]);
  const save = () => requestBytes(path).then((bytes) => download(artifact.name, bytes), (error) => setProblem(problemOf(error).message));
  return html`<li class="artifact"><div class="facts-line"><b><${Words} text=${artifact.name} most=${120} /></b>
      <span>${plain(artifact.type, 60)}</span><span>${size(artifact.size)}</span>
      ${isText(artifact) && !wanted && html`<button type="button" class="link" onClick=${() => setWanted(true)}>Show</button>`}
      <button type="button" class="link" onClick=${save}>Download</button></div>
    ${picture && html`<img class="picture" src=${picture} alt=${`Picture ${plain(artifact.name, 80)}`} />`}
    ${text !== null && html`<${Folded} text=${text} lines=${20} label=${`Text of ${plain(artifact.name, 80)}`} />`}
    ${problem && html`<p class="warn" role="status">${plain(problem, 300)}</p>`}</li>`;
}

/** @param {{ workspace: Workspace, run: string, role: string }} props */
export function Artifacts({ workspace, run, role }) {
  const path = `${within(workspace.id, 'runs', run)}/artifacts`;
  const { data } = /** @type {import('./read.js').Seen<{ artifacts: Artifact[] }>} */ (useRead(path, workspace.id));
  const list = data?.artifacts ?? [];
  if (!list.length) return null;
  return html`<section class="part" aria-label="Artifacts"><h3>Artifacts <span class="quiet">${list.length}</span></h3>
    <ul class="artifacts">${list.map((artifact) => mayAnswer(role)
      ? html`<${Shown} key=${artifact.name} artifact=${artifact} path=${`${path}/${encodeURIComponent(artifact.name)}`} />`
      : html`<li class="facts-line"><b><${Words} text=${artifact.name} most=${120} /></b><span>${plain(artifact.type, 60)}</span><span>${size(artifact.size)}</span></li>`)}</ul></section>`;
}
