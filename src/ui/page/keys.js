// @ts-check
// Keyboard shortcuts. They are off while a person types in a field.
import { html, useLayoutEffect, useRef } from './preact.js';

/** @param {KeyboardEvent} event */
function isTyping(event) {
  const { target } = event;
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox]):not([type=radio])'));
}

/** `actions` by key, from the moment that they are shown. Nothing happens with a modifier, for a key that is held down, or behind an open dialog.
 * @param {Record<string, (event: KeyboardEvent) => void>} actions */
export function useKeys(actions) {
  const latest = useRef(actions);
  latest.current = actions;
  useLayoutEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (document.querySelector('dialog[open]')) return;
      if (!Object.hasOwn(latest.current, event.key)) return;
      event.preventDefault();
      latest.current[event.key](event);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

const kKeys = [
  ['j, k', 'next, previous'], ['y', 'approve what is shown, with the chosen scope'], ['n', 'deny: asks for the reason, Enter sends it'],
  ['x', 'select, to answer several at once'], ['/', 'go to the filter'], ['1 … 7', 'Inbox, Runs, Workflows, Tools, Rules, Audit, Now'],
  ['Esc', 'back to the list'], ['?', 'these keys'],
];

/** @param {{ onClose: () => void }} props */
export function KeysHelp({ onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return html`<dialog ref=${dialog} class="help" aria-labelledby="keys-title" onClose=${onClose}>
    <h2 id="keys-title">Keys</h2>
    <dl>${kKeys.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
    <p class="quiet">An approval is accepted once the request has been on the screen for a moment without changing.</p>
    <button type="button" autofocus onClick=${() => dialog.current?.close()}>Close</button>
  </dialog>`;
}
