// @ts-check
// A button for what does not come back.
import { html, useState } from './preact.js';
import { plain } from './words.js';

/** Two presses: what is cancelled does not come back.
 * @param {{ label: string, sure: string, onDo: () => Promise<string> }} props */
export function SureButton({ label, sure, onDo }) {
  const [asks, setAsks] = useState(false);
  const [said, setSaid] = useState('');
  return html`<span class="sure">
    ${asks ? html`<button type="button" class="no" onClick=${async () => { setAsks(false); setSaid(await onDo()); }}>
      ${sure}</button>
        <button type="button" onClick=${() => setAsks(false)}>Back</button>`
      : html`<button type="button" onClick=${() => setAsks(true)}>${label}</button>`}
    ${said && html`<span class="quiet" role="status">${plain(said, 400)}</span>`}
  </span>`;
}
