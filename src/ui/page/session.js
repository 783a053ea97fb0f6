// @ts-check
// Who uses this page: no one yet, or the holder of a token, with the role and workspaces that it opens.
import { Problem, hasToken, keepToken, problemOf, request } from './api.js';
import { Observable } from './observable.js';
import { go } from './route.js';

/** @typedef {import('../types/api').About} About */
/** @typedef {{ state: 'starting' | 'out' | 'in', about: About | null, problem: Problem | null, skew: number }}
 * Session */

/** The status of a problem with the link, and not with a token. */
export const kLink = -2;

/** @type {Session} */ const kOut = { state: 'out', about: null, problem: null, skew: 0 };
export const session = new Observable(/** @type {Session} */ ({ ...kOut, state: 'starting' }));

/** The server's clock, by which ages are computed. */
export const now = () => Date.now() + session.value.skew;

/** @param {Problem | null} [problem] */
export function signOut(problem = null) {
  keepToken('');
  session.set({ ...kOut, problem });
}

/** Reads who we are. Throws when there is no answer; signs out when the token is refused. */
export async function refresh() {
  try {
    /** @type {About} */ const about = await request('');
    const before = session.value;
    const same = before.state === 'in' && JSON.stringify({ ...before.about, now: 0 }) === JSON.stringify({ ...about, now: 0 });
    if (!same) session.set({ state: 'in', about, problem: null, skew: about.now - Date.now() });
  } catch (error) {
    const problem = problemOf(error);
    if (problem.isRefused || problem.status === 403) return signOut(problem);
    throw problem;
  }
}

/** @param {string} token */
export async function signIn(token) {
  keepToken(token);
  await refresh();
}

/** The code or token of the address, once; it is not in the history afterwards. */
function takeFragment() {
  const found = new URLSearchParams(location.hash.replace(/^#/, ''));
  const [code, token] = [found.get('code'), found.get('token')];
  if (code || token) go('#/inbox', { instead: true });
  return { code, token };
}

/** @param {string} code */
async function redeem(code) {
  try {
    const { token } = await request('/session', { method: 'POST', body: { code }, withoutToken: true });
    keepToken(token);
    return null;
  } catch (error) {
    const problem = problemOf(error);
    return problem.isUnreached ? problem : new Problem(kLink, 'Link', problem.message);
  }
}

export async function begin() {
  const { code, token } = takeFragment();
  if (token) keepToken(token);
  const problem = code ? await redeem(code) : null;
  if (!hasToken()) return session.set({ ...kOut, problem });
  try {
    await refresh();
  } catch (error) {
    session.set({ ...kOut, state: 'starting', problem: problemOf(error) });
    setTimeout(begin, 1000);
  }
}
