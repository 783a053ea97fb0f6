// @ts-check
// The stream of events. An event only says that something has changed; what it is, is read from the API. So a page that
// missed some, or all, is right again after the next one, and the first comes with every connection.
import { openEvents, problemOf } from './api.js';
import { Observable } from './observable.js';
import { refresh, session, signOut } from './session.js';

const kSilence = 45_000;  // heartbeats come more often
const kSlowest = 10_000;

/** @typedef {{ state: 'connecting' | 'live' | 'offline', retryAt: number }} Connection */
export const connection = new Observable(/** @type {Connection} */ ({ state: 'connecting', retryAt: 0 }));

/** @typedef {(workspaces: string[] | null) => void} Listener  null: all of them */
/** @type {Set<Listener>} */ const listeners = new Set();
/** @param {Listener} listener */
export function onChanged(listener) {
  listeners.add(listener);
  return () => { listeners.delete(listener); };
}
/** @param {string[] | null} workspaces */
export function changed(workspaces) {
  for (const listener of [...listeners]) listener(workspaces);
}

/** @param {string} data */
function workspacesIn(data) {
  try {
    const { workspaces } = JSON.parse(data);
    return Array.isArray(workspaces) ? workspaces.map(String) : null;
  } catch {
    return null;
  }
}

let last = '';
/** One line of the stream. @param {string} line @param {{ data: string }} event */
function take(line, event) {
  if (line.startsWith('id:')) last = line.slice(3).trim();
  if (line.startsWith('data:')) event.data += line.slice(5);
  if (line !== '' || event.data === '') return;
  const workspaces = workspacesIn(event.data);
  event.data = '';
  refresh().catch(() => {});
  changed(workspaces);
}

/** Reads until the stream ends, by itself or for its silence. @param {AbortController} ending */
async function listen(ending) {
  const reader = (await openEvents(ending.signal, last)).pipeThrough(new TextDecoderStream()).getReader();
  connection.set({ state: 'live', retryAt: 0 });  // the first event, for all workspaces, comes at once
  const event = { data: '' };
  let rest = '';
  for (;;) {
    const silence = setTimeout(() => ending.abort(), kSilence);
    const { value, done } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    const lines = (rest + value).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) take(line, event);
  }
}

/** @type {AbortController | null} */ let listening = null;
/** A request got no answer: whether the stream still works shows when it is opened anew. */
export const doubt = () => { if (connection.value.state === 'live') listening?.abort(); };

/** @type {(() => void) | null} */ let wake = null;
export const tryNow = () => wake?.();
/** @param {number} ms */
async function rest(ms) {
  connection.set({ state: 'offline', retryAt: Date.now() + ms });
  await new Promise((done) => {
    wake = () => done(undefined);
    setTimeout(wake, ms);
  });
  wake = null;
}

/** As long as the person is signed in. */
export async function stayConnected() {
  for (let failures = 0; session.value.state === 'in';) {
    const ending = listening = new AbortController();
    const unfollow = session.follow(({ state }) => state === 'in' || ending.abort());
    const since = Date.now();
    try {
      await listen(ending);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.isRefused) signOut(problem);
    }
    unfollow();
    if (session.value.state !== 'in') break;
    failures = Date.now() - since > 5000 ? 0 : failures + 1;
    await rest(Math.min(kSlowest, 250 * 2 ** failures) * (0.75 + Math.random() / 2));
  }
  connection.set({ state: 'connecting', retryAt: 0 });
}

window.addEventListener('online', tryNow);
document.addEventListener('visibilitychange', () => document.hidden || tryNow());
