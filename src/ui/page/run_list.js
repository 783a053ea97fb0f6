// @ts-check
// The newest runs of some workspaces, page by page, and read again as far as they were read when something changes.
import { problemOf, request, within } from './api.js';
import { onChanged } from './connection.js';
import { troubles } from './notes.js';
import { useLayoutEffect, useMemo, useRef, useState } from './preact.js';
import { signOut } from './session.js';

/** @typedef {import('../types/api').Run} Run */
/** @typedef {import('../types/api').Workspace} Workspace */
/** @typedef {Run & { workspace: Workspace }} RunHere */
/** @typedef {{ status: string, client: string, tool: string, text: string, error: string, since: number }} Filters */

const kPage = 500;
const kShareOfTime = 1;

/** @param {string} workspace @param {Filters} filters @param {number} before */
function pathOf(workspace, { status, client, tool }, before) {
  const query = new URLSearchParams({ limit: String(kPage) });
  for (const [key, value] of Object.entries({ status, client, tool })) if (value) query.set(key, value);
  if (before) query.set('before', String(before));
  return `${within(workspace, 'runs')}?${query}`;
}

/** The runs of one workspace as far as the person has scrolled. */
class Runs {
  /** @type {Run[]} */ runs = [];
  /** @type {number | null} */ next = 0;
  /** @type {import('./api.js').Problem | null} */ problem = null;
  #ending = new AbortController();
  #busy = false;
  #again = false;
  #wantsMore = false;
  /** @param {Workspace} workspace @param {Filters} filters @param {() => void} tell */
  constructor(workspace, filters, tell) {
    this.workspace = workspace;
    this.filters = filters;
    this.tell = tell;
    this.unfollow = onChanged((changed) => {
      if (!changed || changed.includes(workspace.id)) this.read();
    });
    this.read();
  }
  stop() {
    this.unfollow();
    this.#ending.abort();
  }
  /** Everything that was read, from the newest on. */
  async read() {
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#again && !this.#ending.signal.aborted) {
      this.#again = false;
      const began = performance.now();
      await this.#fill([], 0, Math.max(1, this.runs.length));
      await new Promise((done) => setTimeout(done, Math.max(50, (performance.now() - began) * kShareOfTime)));
    }
    this.#busy = false;
    if (this.#wantsMore) this.more();
  }
  async more() {
    this.#wantsMore = this.#busy;
    if (this.#busy || this.next === null) return;
    this.#busy = true;
    await this.#fill(this.runs, this.next, this.runs.length + 1);
    this.#busy = false;
    if (this.#again) this.read();
  }
  /** @param {Run[]} runs @param {number} before @param {number} least */
  async #fill(runs, before, least) {
    try {
      /** @type {Map<string, Run>} */ const found = new Map(runs.map((run) => [run.id, run]));
      /** @type {number | null} */ let next = before;
      do {
        const page = await request(pathOf(this.workspace.id, this.filters, next ?? 0), { signal: this.#ending.signal });
        for (const run of page.runs) found.set(run.id, run);
        next = page.next ?? null;
        if (next !== null && next < this.filters.since) next = null;
      } while (next !== null && found.size < least);
      Object.assign(this, { runs: [...found.values()], next, problem: null });
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      this.problem = problemOf(error);
      if (this.problem.isRefused) return signOut(this.problem);
      if (!this.problem.isUnreached) this.runs = [];
    }
    if (!this.#ending.signal.aborted) this.tell();
  }
}

/** @param {RunHere} run @param {Filters} filters */
function fits(run, { status, client, text, error, since }) {
  const words = `${run.id} ${run.client} ${run.intent} ${run.about}`.toLowerCase();
  return run.created >= since && (!status || run.status === status) && (!client || run.client === client) &&
    (!text || words.includes(text.toLowerCase())) && (!error || (run.error ?? '').toLowerCase().includes(error.toLowerCase()));
}

/** @param {Workspace[]} workspaces @param {Filters} filters */
export function useRuns(workspaces, filters) {
  const lists = useRef(/** @type {Runs[]} */ ([]));
  const [version, redraw] = useState(0);
  const key = JSON.stringify([workspaces.map(({ id }) => id), filters]);
  useLayoutEffect(() => {
    lists.current = workspaces.map((workspace) => new Runs(workspace, filters, () => redraw((n) => n + 1)));
    redraw((n) => n + 1);
    return () => lists.current.forEach((list) => list.stop());
  }, [key]);
  const runs = useMemo(() => {
    // Of a workspace with more, nothing older than its last page is known: what others have there waits for it.
    const oldest = Math.max(filters.since, ...lists.current.map(({ next }) => next ?? 0));
    const all = lists.current.flatMap(({ workspace, runs: some }) => some.map((run) => ({ ...run, workspace })));
    return all.filter((run) => run.created >= oldest && fits(run, filters)).sort((a, b) => b.created - a.created);
  }, [version, key]);
  // Another function after every page: a view that is still at the end asks again.
  const more = useMemo(() => () => { for (const list of lists.current) list.more(); }, [version]);
  return { runs, more, hasMore: lists.current.some(({ next }) => next !== null), problems: troubles(lists.current) };
}
