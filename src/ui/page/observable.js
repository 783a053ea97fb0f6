// @ts-check
// A value that others follow.
import { useEffect, useState } from './preact.js';

/** @template T */
export class Observable {
  /** @type {Set<(value: T) => void>} */ #followers = new Set();
  /** @param {T} value */
  constructor(value) { this.value = value; }
  /** @param {T} value */
  set(value) {
    if (value === this.value) return;
    this.value = value;
    for (const follower of [...this.#followers]) follower(value);
  }
  /** @param {(value: T) => void} follower */
  follow(follower) {
    this.#followers.add(follower);
    return () => { this.#followers.delete(follower); };
  }
}

/** The value now; the component is drawn again when it changes. @template T @param {Observable<T>} observable */
export function useValue(observable) {
  const [value, set] = useState(observable.value);
  useEffect(() => {
    set(observable.value);
    return observable.follow(set);
  }, [observable]);
  return value;
}
