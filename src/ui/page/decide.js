// @ts-check
// The decision: how far a yes reaches, the exact rules that it would add, and the buttons.
import { AlsoAllows } from './also_allows.js';
import { answer, identity, kScopes, mayAnswer, openCalls, takeBack } from './answer.js';
import { Answers } from './answers.js';
import { connection } from './connection.js';
import { submitted, typed } from './input.js';
import { useKeys } from './keys.js';
import { useValue } from './observable.js';
import { html, useLayoutEffect, useRef, useState } from './preact.js';
import { useSeen } from './shown.js';
import { Words, plain } from './words.js';

/** @typedef {import('../types/api').Asked} Asked */
/** @typedef {import('../types/api').Scope} Scope */
/** @typedef {import('./answer.js').Said} Said */

/** @param {Asked} asked */
const proposed = (asked) => asked.card.groups.flatMap(({ rule }) => rule ?? []);
/** @param {Asked} asked @returns {Scope[]} */
const scopesOf = (asked) => /** @type {Scope[]} */ (Object.keys(kScopes)).filter((scope) => asked.card.options.includes(scope));

/** @param {{ asked: Asked, scope: Scope, onScope: (scope: Scope) => void }} props */
function ScopeChoice({ asked, scope, onScope }) {
  const scopes = scopesOf(asked);
  if (scopes.length < 2) return asked.card.calls.length ? html`<p
      class="quiet">An approval counts only this once: no rule would be as narrow.</p>` : null;
  return html`<fieldset class="scopes"><legend class="spoken">Scope of the approval</legend>
    ${scopes.map((one) => html`<label class=${one === scope ? 'chosen' : ''}>
      <input type="radio" name=${`scope-${asked.id}`} value=${one} checked=${one === scope}
          onChange=${() => onScope(one)} />${kScopes[one]}</label>`)}
  </fieldset>`;
}

const kReach = { once: '', run: 'until this run ends', session: 'until this session ends', always: 'always: it is written to glovebox.json' };

/** @param {{ asked: Asked, scope: Scope, rules: string[], onRules: (rules: string[]) => void }} props */
function RuleEditor({ asked, scope, rules, onRules }) {
  if (scope === 'once') return null;
  const first = proposed(asked);
  const isEdited = rules.some((rule, i) => rule !== first[i]);
  return html`<div class="rules">
    <p>Approving adds ${rules.length === 1 ? 'this rule' : 'these rules'}, ${kReach[scope]}. Matching calls are then made without asking.</p>
    ${rules.map((rule, i) => html`<textarea rows="1" spellcheck=${false} autocomplete="off" aria-label=${`Rule ${i + 1}`}
        value=${rule}
      onInput=${typed((text) => onRules(rules.with(i, text)))}></textarea>
      <${AlsoAllows} workspace=${asked.workspace.id} pattern=${rule} of=${asked.run} />`)}
    ${isEdited && html`<p class="warn">Edited. The proposal was: ${first.map((rule) => html`<code class="rule">
      <${Words} text=${rule} /></code>`)}
      <button type="button" class="link" onClick=${() => onRules(first)}>Restore the proposal</button></p>`}
  </div>`;
}

/** @param {Asked} asked @param {number[]} chosen */
function what(asked, chosen) {
  const open = openCalls(asked).length;
  return open > 1 ? (chosen.length === open ? ` all ${open} calls` : ` ${chosen.length} of ${open} calls`) : '';
}
const kYes = { once: 'once', run: 'for this run', session: 'for this session', always: 'always' };

/** Who asks for what, in one line that cannot grow. @param {{ asked: Asked }} props */
function InShort({ asked }) {
  const names = [...new Set(asked.card.calls.map(({ server, tool }) => `${server}.${tool}`))];
  const [what, who] = [plain(names.join(', ') || asked.card.title, 70), plain(asked.card.client || 'an unnamed client', 30)];
  return html`<p class="in-short"><b>${what}</b>, asked by <b>${who}</b> in ${plain(asked.workspace.name, 30)}</p>`;
}

/** @param {{ label: string, canYes: boolean, canNo: boolean, byKeys: boolean, onYes: () => void, onNo: () => void }} props */
function Buttons({ label, canYes, canNo, byKeys, onYes, onNo }) {
  const key = (/** @type {string} */ name) => byKeys && html` <kbd aria-hidden="true">${name}</kbd>`;
  return html`<div class="buttons">
    <button type="button" class="yes" disabled=${!canYes} aria-keyshortcuts=${byKeys ? 'y' : null} onClick=${onYes}>
      ${label}${key('y')}</button>
    <button type="button" class="no" disabled=${!canNo} aria-keyshortcuts=${byKeys ? 'n' : null} onClick=${onNo}>
      Deny${key('n')}</button>
  </div>`;
}

/** @param {{ label: string, can: boolean, reason: string, onReason: (reason: string | null) => void, onDeny: () => void }} props */
function Denial({ label, can, reason, onReason, onDeny }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  // Before the next key arrives: what is typed straight after n belongs to the reason.
  useLayoutEffect(() => field.current?.focus(), []);
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') onReason(null);
  };
  return html`<form class="buttons" onSubmit=${submitted(onDeny)} onKeyDown=${leave}>
    <input ref=${field} class="grow" type="text" maxlength="1000" aria-label="Reason, shown to the agent"
      placeholder="Reason, shown to the agent (optional)" value=${reason} onInput=${typed(onReason)} />
    <button type="submit" class="no" disabled=${!can}>${label}</button>
    <button type="button" onClick=${() => onReason(null)}>Back</button>
  </form>`;
}

/** Why there are no buttons, or what a yes does not do at once. @param {{ asked: Asked, role: string, isLive: boolean }} props */
function Hints({ asked, role, isLive }) {
  return html`
    ${!isLive && html`<p class="quiet">Offline: nothing can be sent.</p>`}
    ${!asked.gatewayRuns && html`<p class="quiet">
      No gateway is running in this workspace; an answer is stored until one starts.</p>`}
    ${!mayAnswer(role) && html`<p class="quiet">Your token has the role ${plain(role, 20)}: it can read, but not answer.
      ${' '}Use an approver's token (glovebox token new --role approver).</p>`}`;
}

const kTooSoon = 'Not sent: the request had only just appeared or changed. Read it, then answer.';

/** @param {{ asked: Asked, role: string, chosen: number[], byKeys: boolean }} props */
export function Decide({ asked, role, chosen, byKeys }) {
  const [scope, setScope] = useState(/** @type {Scope} */ ('once'));
  const [rules, setRules] = useState(() => proposed(asked));
  const [reason, setReason] = useState(/** @type {string | null} */ (null));
  const [sending, setSending] = useState(false);
  const [said, setSaid] = useState(/** @type {Said | null} */ (null));
  // Until the next reading shows the effect of an answer, there is no other.
  const [answered, setAnswered] = useState('');
  const isSeen = useSeen(identity(asked));
  const isLive = useValue(connection).state !== 'offline';
  const isOpen = asked.state === 'pending';
  const open = openCalls(asked);
  const can = isOpen && mayAnswer(role) && isLive && !sending && answered !== identity(asked) &&
    (!open.length || chosen.length > 0);
  // The rule that is added is one that was shown: an empty field is none.
  const canYes = can && reason === null && (scope === 'once' || rules.every((rule) => rule.trim()));

  const send = async (/** @type {import('./answer.js').Choice} */ choice) => {
    setSending(true);
    const came = await answer(asked, { ...choice, calls: chosen.length === open.length ? undefined : chosen });
    setSaid(came);
    if (came.ok) setAnswered(identity(asked));
    setSending(false);
    setReason(null);
  };
  // By key or by button: what was meant for something else is no yes, as the second half of a double click.
  const approve = () => {
    if (!canYes) return;
    if (!isSeen()) return setSaid({ ok: false, text: kTooSoon });
    send({ decision: 'approve', scope, ...(scope === 'once' ? {} : { rules: rules.map((rule) => rule.trim()) }) });
  };
  const undo = async () => {
    setSending(true);
    setSaid(await takeBack(asked));
    setSending(false);
  };
  const deny = () => can && send({ decision: 'deny', ...(reason ? { reason } : {}) });
  useKeys(can && byKeys ? {
    y: approve, n: () => setReason(reason ?? ''),
  } : {});

  return html`<footer class="decide" aria-label="Decision">
    ${said && html`<p class=${said.ok ? 'said-ok' : 'warn'} role="status">${plain(said.text, 1000)}</p>`}
    ${!isOpen || asked.answers.length ? html`<${Answers} asked=${asked} />` : null}
    ${asked.canTakeBack && mayAnswer(role) && html`<p class="quiet">The approved calls have not begun.
      <button type="button" class="small" disabled=${!isLive || sending} onClick=${undo}>Withdraw the approval</button></p>`}
    ${isOpen && html`<${InShort} asked=${asked} /><${Hints} asked=${asked} role=${role} isLive=${isLive} />`}
    ${isOpen && mayAnswer(role) && html`
      <${ScopeChoice} asked=${asked} scope=${scope} onScope=${setScope} />
      <${RuleEditor} asked=${asked} scope=${scope} rules=${rules} onRules=${setRules} />
      ${reason === null
        ? html`<${Buttons} label=${`Approve${what(asked, chosen)} ${kYes[scope]}`} canYes=${canYes} canNo=${can} byKeys=${byKeys}
            onYes=${approve} onNo=${() => setReason('')} />`
        : html`<${Denial} label=${`Deny${what(asked, chosen)}`} can=${can} reason=${reason} onReason=${setReason} onDeny=${deny} />`}`}
  </footer>`;
}
