// @ts-check
// Requests to /api/v1. The token is sent as a header, never in an address, and stays in this tab.
const kKept = 'glovebox.token';
const kPatience = 30_000;

let token = sessionStorage.getItem(kKept) ?? '';
export const hasToken = () => token !== '';
/** @param {string} next */
export function keepToken(next) {
  token = next;
  if (next) sessionStorage.setItem(kKept, next);
  else sessionStorage.removeItem(kKept);
}

/** What went wrong, in the server's words where there are any. Status 0: no answer. */
export class Problem extends Error {
  /** @param {number} status @param {string} title @param {string} detail */
  constructor(status, title, detail) {
    super(detail || title);
    this.status = status;
    this.title = title;
  }
  get isRefused() { return this.status === 401; }
  get isUnreached() { return this.status === 0; }
}
/** @param {unknown} error @returns {Problem} */
export const problemOf = (error) => error instanceof Problem ? error : new Problem(-1, 'The page failed', String(error));

/** @param {Response} response @returns {Promise<Problem>} */
async function problemIn(response) {
  const said = await response.json().catch(() => null);
  const title = typeof said?.title === 'string' ? said.title : `Status ${response.status}`;
  return new Problem(response.status, title, typeof said?.detail === 'string' ? said.detail : '');
}

/** @param {string} path @param {RequestInit} options */
async function reach(path, options) {
  try {
    return await fetch(`/api/v1${path}`, { cache: 'no-store', credentials: 'omit', redirect: 'error', ...options });
  } catch (error) {
    if (options.signal?.aborted && options.signal.reason?.name === 'AbortError') throw error;
    throw new Problem(0, 'Not reached', 'Glovebox did not answer.');
  }
}

/** @param {string} path
 * @param {{ method?: string, body?: unknown, signal?: AbortSignal, withoutToken?: boolean }} [options] */
export async function requestText(path, { method = 'GET', body, signal, withoutToken } = {}) {
  /** @type {Record<string, string>} */ const headers = {};
  if (!withoutToken) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const patience = AbortSignal.timeout(kPatience);
  const response = await reach(path, {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body),
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
  });
  if (!response.ok) throw await problemIn(response);
  return response.text();
}
/** Bytes of others. The page decides what they may be shown as. @param {string} path */
export async function requestBytes(path) {
  const response = await reach(path, { headers: { Authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(kPatience) });
  if (!response.ok) throw await problemIn(response);
  return response.arrayBuffer();
}
/** A whole number that JavaScript would round is the text that it was: people decide about what is sent.
 * @param {string} _key @param {any} value @param {{ source?: string }} [context] */
const unrounded = (_key, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
/** What the API has said, or a part of it. @param {string} text */
export const parsed = (text) => /\d{16}/.test(text) ? JSON.parse(text, unrounded) : JSON.parse(text);

/** @param {string} path @param {Parameters<typeof requestText>[1]} [options] */
export async function request(path, options) {
  const text = await requestText(path, options);
  return text ? parsed(text) : {};
}
/** @param {string} path @param {unknown} body */
export const post = (path, body) => request(path, { method: 'POST', body });

/** The stream of events, which EventSource cannot read: it sends no header.
 * @param {AbortSignal} signal
 * @param {string} last */
export async function openEvents(signal, last) {
  /** @type {Record<string, string>} */ const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
  if (last) headers['Last-Event-ID'] = last;
  const response = await reach('/events', { headers, signal });
  if (!response.ok || !response.body) throw await problemIn(response);
  return response.body;
}

/** @param {string} workspace @param {...string} parts */
export const within = (workspace, ...parts) =>
  `/workspaces/${[workspace, ...parts].map(encodeURIComponent).join('/')}`;
