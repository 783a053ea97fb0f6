// @ts-check
// Where the page is: #/PAGE/WORKSPACE/ID?filters. Everything that can be seen has an address, so that back, forward and
// a second tab work.
import { Observable } from './observable.js';

/** @typedef {{ page: string, workspace: string, id: string, query: URLSearchParams }} Route */

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
/** @returns {Route} */
function read() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [page, workspace, id] = path.split('/').map(decoded);
  return { page: page || 'inbox', workspace: workspace ?? '', id: id ?? '', query: new URLSearchParams(query) };
}

export const route = new Observable(read());
window.addEventListener('hashchange', () => route.set(read()));

/** The address of a place: the only href of the page that is made of data, and always a fragment of our own. The switch of workspaces stays as
 * it is. @param {string} page @param {string} [workspace] @param {string} [id] @param {Record<string, string>} [query] */
export function place(page, workspace = '', id = '', query = {}) {
  const kept = new URLSearchParams(query);
  const only = route.value.query.get('in');
  if (only && !kept.has('in')) kept.set('in', only);
  for (const [key, value] of [...kept]) if (!value) kept.delete(key);
  const parts = [page, workspace, id].filter(Boolean).map(encodeURIComponent);
  return `#/${parts.join('/')}${kept.size ? `?${kept}` : ''}`;
}
/** Goes there; with `instead` the place that is left is not kept in the history.
 * @param {string} where
 * @param {{ instead?: boolean }} [how] */
export function go(where, { instead = false } = {}) {
  if (instead) history.replaceState(null, '', where);
  else history.pushState(null, '', where);
  route.set(read());
}
window.addEventListener('popstate', () => route.set(read()));

/** The same place with other filters. @param {Record<string, string>} changes */
export function filter(changes) {
  const { page, workspace, id, query } = route.value;
  go(place(page, workspace, id, { ...Object.fromEntries(query), ...changes }), { instead: true });
}
