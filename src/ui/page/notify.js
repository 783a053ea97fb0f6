// @ts-check
// A waiting request is seen from another tab: in the title, and as a notification where the person has agreed to them.
import { html, useEffect, useRef, useState } from './preact.js';
import { go, place } from './route.js';
import { plain } from './words.js';

/** @typedef {{ key: string, title: string, body: string, where: string }} Notice */

const canNotify = () => 'Notification' in window;

/** @param {Notice} notice */
function raise({ key, title, body, where }) {
  const note = new Notification(title, { body, tag: key });
  note.onclick = () => {
    window.focus();
    go(where);
    note.close();
  };
}

/** @param {import('../types/api').Asked} asked @returns {Notice} */
export const noticeOfRequest = ({ workspace, id, card }) => ({
  key: `${workspace.id}/${id}`, where: place('inbox', workspace.id, id),
  title: `${plain(card.client, 60) || 'An agent'} asks: ${plain(card.title, 100)}`,
  body: `In ${plain(workspace.name, 60)}. ${plain(card.intent, 120)}`,
});
/** @param {import('./decisions.js').Decision} decision @returns {Notice} */
export const noticeOfDecision = ({ workspace, workflow, key, what }) => ({
  key, where: place('workflows', workspace.id, workflow.workflow_id),
  title: `A workflow asks ${plain(what, 100)}`, body: `In ${plain(workspace.name, 60)}. ${plain(workflow.intent, 120)}`,
});

/** @param {Notice[] | null} waiting  null: not read yet */
export function useNotices(waiting) {
  const known = useRef(/** @type {Set<string> | null} */ (null));
  useEffect(() => {
    if (!waiting) return;
    document.title = waiting.length ? `(${waiting.length}) Glovebox` : 'Glovebox';
    const before = known.current;
    known.current = new Set(waiting.map(({ key }) => key));
    if (!before || document.hasFocus() || !canNotify() || Notification.permission !== 'granted') return;
    for (const notice of waiting.filter(({ key }) => !before.has(key)).slice(0, 3)) raise(notice);
  }, [waiting]);
}

export function NotifyButton() {
  const [permission, setPermission] = useState(canNotify() ? Notification.permission : 'denied');
  if (permission !== 'default') return null;
  return html`<button type="button" class="small"
      onClick=${async () => setPermission(await Notification.requestPermission())}>
    Notify me</button>`;
}
