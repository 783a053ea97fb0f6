// @ts-check
// Signing in without a link, or with one that does not work any more.
import { problemOf } from './api.js';
import { submitted, typed } from './input.js';
import { html, useState } from './preact.js';
import { kLink, signIn } from './session.js';
import { plain } from './words.js';

/** @typedef {import('./api.js').Problem} Problem */

/** What happened, and what to do. @param {Problem} problem */
function advice(problem) {
  if (problem.status === kLink) return ['This link does not work.', problem.message];
  if (problem.status === 401) {
    return ['Your token is unknown here, or has expired.',
      'Press Enter in the terminal of “glovebox ui” for another link, or start it again; or paste another token.'];
  }
  if (problem.status === 403) return ['This token may not use the page.', problem.message];
  return [problem.message, 'Is Glovebox running at this address? Start “glovebox ui” and open the link that it prints.'];
}

/** @param {{ problem: Problem | null }} props */
export function Login({ problem }) {
  const [token, setToken] = useState('');
  const [unreached, setUnreached] = useState(/** @type {Problem | null} */ (null));
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    setUnreached(null);
    await signIn(token.trim()).catch((error) => setUnreached(problemOf(error)));
    setBusy(false);
  };
  const shown = unreached ?? problem;
  return html`<main class="login"><form onSubmit=${submitted(send)} aria-labelledby="login-title">
    <h1 id="login-title">Glovebox</h1>
    ${shown && html`<div class="warn-box" role="alert">${advice(shown).map((text, i) => html`<p
        class=${i ? '' : 'strong'}>${plain(text, 400)}</p>`)}</div>`}
    <p>Open the link that <code>glovebox ui</code> prints, or paste a token.</p>
    <label for="token">Token</label>
    <input id="token" type="password" autocomplete="off" spellcheck=${false} required value=${token}
        onInput=${typed(setToken)} />
    <button type="submit" class="yes" disabled=${busy || !token.trim()}>Sign in</button>
    <p class="quiet">An approver's token: <code>glovebox token new --role approver</code>. It is kept in this tab until the tab is closed.</p>
  </form></main>`;
}
