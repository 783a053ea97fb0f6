// @ts-check
// What a rule would have allowed of past calls, shown as it is typed.
import { post, problemOf, within } from './api.js';
import { html, useEffect, useState } from './preact.js';
import { Ago } from './times.js';
import { Words, plain } from './words.js';

/** @typedef {import('../../types/api').RuleTest} RuleTest */

const kPause = 200;
const kShown = 8;

/** @param {{ calls: import('../../types/api').PastCall[] }} props */
export function PastCalls({ calls }) {
  return html`<ul class="before past">${calls.map((call) => html`<li><${Words} text=${`${call.server}.${call.tool}`} most=${120} />
    <code class="clip">${plain(JSON.stringify(call.arguments), 160)}</code>
    <span class="quiet">${plain(call.verdict, 20)}</span> <${Ago} at=${call.time} suffix=" ago" /></li>`)}</ul>`;
}

/** @param {RuleTest} test */
function inWords({ checked, matched, unknown }) {
  if (!checked) return 'There are no past calls to compare it with.';
  const some = matched ? `${matched} of the last ${checked} calls` : `None of the last ${checked} calls`;
  return `${some} ${matched === 1 ? 'is' : 'are'} covered by it${unknown ? `; for ${unknown} more the log has too little to tell` : ''}.`;
}

/** `of`: the run whose request this is for; what it asks for now is no call of the past.
 * @param {{ workspace: string, pattern: string, of?: string }} props */
export function AlsoAllows({ workspace, pattern, of = '' }) {
  const [found, setFound] = useState(/** @type {{ pattern: string, test: RuleTest | null, problem: string } | null} */ (null));
  useEffect(() => {
    let isOver = false;
    const say = (/** @type {RuleTest | null} */ test, problem = '') => { if (!isOver) setFound({ pattern, test, problem }); };
    const timer = setTimeout(() => {
      if (!pattern.trim()) return say(null, 'A rule names tools, such as github:get_*.');
      post(`${within(workspace, 'rules')}/test`, { pattern: pattern.trim() }).then(say, (error) => say(null, problemOf(error).message));
    }, kPause);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [workspace, pattern]);
  if (!found) return null;
  const isOld = found.pattern !== pattern;
  if (!found.test) return html`<p class="warn" role="status">${plain(found.problem, 300)}</p>`;
  const calls = found.test.calls.filter(({ run, verdict }) => run !== of || verdict !== 'ask');
  return html`<div class=${`also ${isOld ? 'old' : ''}`}><p class="quiet" role="status">${inWords(found.test)}</p>
    ${calls.length > 0 && html`<details><summary>Would also allow, such as</summary>
      <${PastCalls} calls=${calls.slice(0, kShown)} />
      ${calls.length > kShown && html`<p class="quiet">and ${calls.length - kShown} others</p>`}</details>`}</div>`;
}
