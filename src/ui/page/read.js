// @ts-check
// What the API says at a path, read again whenever its workspace has changed.
import { parsed, problemOf, requestText } from './api.js';
import { doubt, onChanged } from './connection.js';
import { useEffect, useLayoutEffect, useRef, useState } from './preact.js';
import { signOut } from './session.js';

/** @typedef {import('./api.js').Problem} Problem */
/** @template T @typedef {{ data: T | null, problem: Problem | null }} Seen */

// A list that takes long to read is read less often.
const kShareOfTime = 1;
const kSoonest = 50;
// Some things change without an event: a gateway that is killed writes nothing.
const kAtLeast = 5000;
/** In place of a workspace: what is dear to make is read that often, and not with every change. */
export const kSeldom = '-';

/** Reads one path again and again, never twice at once, and reports only what is new. */
class Reader {
  #ending = new AbortController();
  #text = '';
  #reading = false;
  #again = false;
  /** @param {string} path @param {string | null} workspace @param {(seen: Seen<any>) => void} tell @param {number} every */
  constructor(path, workspace, tell, every) {
    this.path = path;
    this.tell = tell;
    /** @type {Seen<any>} */ this.seen = { data: null, problem: null };
    this.unfollow = onChanged((changed) => {
      if (!changed || !workspace || changed.includes(workspace)) this.read();
    });
    this.timer = setInterval(() => document.hidden || this.read(), every);
    this.read();
  }
  stop() {
    clearInterval(this.timer);
    this.unfollow();
    this.#ending.abort();
  }
  async read() {
    this.#again = true;
    if (this.#reading) return;
    this.#reading = true;
    while (this.#again && !this.#ending.signal.aborted) {
      this.#again = false;
      const began = performance.now();
      await this.#once();
      const pause = Math.max(kSoonest, (performance.now() - began) * kShareOfTime);
      await new Promise((done) => setTimeout(done, pause));
    }
    this.#reading = false;
  }
  async #once() {
    try {
      const text = await requestText(this.path, { signal: this.#ending.signal });
      if (text === this.#text && !this.seen.problem) return;
      this.#text = text;
      this.#say({ data: parsed(text), problem: null });
    } catch (error) {
      const problem = problemOf(error);
      if (this.#ending.signal.aborted) return;
      if (problem.isRefused) return signOut(problem);
      if (problem.isUnreached) doubt();
      // What was read before is still the best that is known while there is no answer; after a refusal it is not.
      this.#say({ data: problem.isUnreached ? this.seen.data : null, problem });
    }
  }
  /** @param {Seen<any>} seen */
  #say(seen) {
    this.seen = seen;
    if (!this.#ending.signal.aborted) this.tell(seen);
  }
}

/** Several at once, by path.
 * @template T
 * @param {{ path: string, workspace: string, every?: number }[]} wanted
 * @returns {Map<string, Seen<T>>} */
export function useReads(wanted) {
  const readers = useRef(/** @type {Map<string, Reader>} */ (new Map()));
  const [, redraw] = useState(0);
  const key = wanted.map(({ path }) => path).join('\n');
  // Asked for before the page is painted, not after it.
  useLayoutEffect(() => {
    for (const [path, reader] of readers.current) {
      if (wanted.some((one) => one.path === path)) continue;
      reader.stop();
      readers.current.delete(path);
    }
    for (const { path, workspace, every = kAtLeast } of wanted) {
      if (!readers.current.has(path)) readers.current.set(path, new Reader(path, workspace, () => redraw((n) => n + 1), every));
    }
    redraw((n) => n + 1);
  }, [key]);
  useEffect(() => () => {
    for (const reader of readers.current.values()) reader.stop();
    readers.current.clear();
  }, []);
  return new Map([...readers.current].map(([path, { seen }]) => [path, seen]));
}

/** `every`: so many milliseconds at most between two readings, for what changes without an event.
 * @template T @param {string | null} path @param {string} workspace @param {number} [every] @returns {Seen<T>} */
export function useRead(path, workspace, every) {
  const seen = useReads(path ? [{ path, workspace, every }] : []);
  return /** @type {Seen<T>} */ ((path && seen.get(path)) ?? { data: null, problem: null });
}
