// @ts-check
// Sending an answer. It is for the request that was shown, by its digest: the server refuses it for any other.
import { post, problemOf, within } from './api.js';
import { changed } from './connection.js';

/** @typedef {import('../types/api').Asked} Asked */
/** @typedef {import('../types/api').Scope} Scope */
/** @typedef {{ decision: 'approve' | 'deny', scope?: Scope, calls?: number[], rules?: string[], reason?: string }}
 * Choice */
/** @typedef {{ ok: boolean, text: string }} Said */

/** @type {Record<Scope, string>} */
export const kScopes = { once: 'Once', run: 'This run', session: 'This session', always: 'Always' };

const kKept = ' No gateway is running in this workspace: the answer is stored, and the run resumes when one starts.';

/** @param {Asked} asked @param {Choice} choice @returns {Promise<Said>} */
export async function answer(asked, choice) {
  try {
    const said = await post(within(asked.workspace.id, 'approvals', asked.id), { ...choice, digest: asked.digest });
    const rules = Array.isArray(said.rules) && said.rules.length ? ` Allowed from now on: ${said.rules.join(', ')}.` : '';
    return { ok: true, text: (choice.decision === 'approve' ? `Approved.${rules}` : 'Denied.') + (said.gatewayRuns ? '' : kKept) };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.isUnreached) {
      return { ok: false, text: 'Glovebox did not respond, so it is unknown whether this arrived. If the request is still pending when the connection is back, answer again: an answer never counts twice.' };
    }
    if (problem.status === 409) return { ok: false, text: `Not accepted: ${problem.message}` };
    return { ok: false, text: problem.message };
  } finally {
    changed([asked.workspace.id]);
  }
}

/** A yes becomes a no, for calls that have not begun. @param {Asked} asked @returns {Promise<Said>} */
export async function takeBack(asked) {
  try {
    const { rulesInConfig: rules = [] } = await post(within(asked.workspace.id, 'approvals', asked.id), { decision: 'take_back', digest: asked.digest });
    return { ok: true, text: `Withdrawn: the call is denied.${rules.length ? ` Still in glovebox.json, remove it there: ${rules.join(', ')}.` : ''}` };
  } catch (error) {
    return { ok: false, text: problemOf(error).message };
  } finally {
    changed([asked.workspace.id]);
  }
}

/** The calls that are not answered yet. @param {Asked} asked */
export const openCalls = (asked) => asked.calls.filter(({ approved }) => approved === null).map(({ call }) => call);
/** @param {string} role */
export const mayAnswer = (role) => role === 'approver' || role === 'operator';
/** Equal as long as the same thing is asked. @param {Asked} asked */
export const identity = (asked) => `${asked.workspace.id}/${asked.id}/${asked.digest}/${asked.state}/${openCalls(asked)}`;
