// @ts-check
// What the API says at a path, read again whenever its workspace has changed.
import { parsed, problemOf, requestText } from './api.js';
import { doubt, onChanged } from './connection.js';
import { useEffect, useLayoutEffect, useRef, useState } from './preact.js';
import { signOut } from './session.js';

/** @typedef {import('./api.js').Problem} Problem */
/** @template T @typedef {{ data: T | null, problem: Problem | null }} Seen */
/** `list`: the name of a list that comes in pages, of which `most` entries are read or a few more; its path has a query.
 * @typedef {{ path: string, workspace: string, every?: number, list?: string, most?: number }} Wanted */

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
  /** @type {{ text: string, data: any }[]} */ #pages = [];
  #reading = false;
  #again = false;
  /** @param {Wanted} wanted @param {(seen: Seen<any>) => void} tell */
  constructor({ path, workspace, every = kAtLeast, list = '', most = 0 }, tell) {
    this.path = path;
    this.list = list;
    this.most = most;
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
      const before = this.#pages;
      const pages = await this.#readPages(before);
      if (!this.seen.problem && pages.length === before.length && pages.every((page, i) => page === before[i])) return;
      this.#pages = pages;
      const { data } = pages[pages.length - 1];
      this.#say({ data: pages.length > 1 ? { ...data, [this.list]: pages.flatMap((page) => page.data[this.list]) } : data, problem: null });
    } catch (error) {
      const problem = problemOf(error);
      if (this.#ending.signal.aborted) return;
      if (problem.isRefused) return signOut(problem);
      if (problem.isUnreached) doubt();
      // What was read before is still the best that is known while there is no answer; after a refusal it is not.
      this.#say({ data: problem.isUnreached ? this.seen.data : null, problem });
    }
  }
  /** All pages of a list as far as it is wanted, or the only one. What has not changed is not parsed again.
   * @param {{ text: string, data: any }[]} before */
  async #readPages(before) {
    /** @type {typeof before} */ const pages = [];
    let count = 0;
    for (let next = ''; ;) {
      const text = await requestText(next ? `${this.path}&after=${encodeURIComponent(next)}` : this.path, { signal: this.#ending.signal });
      const known = before[pages.length];
      const page = known?.text === text ? known : { text, data: parsed(text) };
      pages.push(page);
      if (!this.list) return pages;
      count += page.data[this.list].length;
      next = page.data.next;
      if (!next || count >= this.most) return pages;
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
 * @param {Wanted[]} wanted
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
    for (const one of wanted) {
      if (!readers.current.has(one.path)) readers.current.set(one.path, new Reader(one, () => redraw((n) => n + 1)));
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
