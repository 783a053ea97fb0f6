// @ts-check
// For how long something was visible: a key that was pressed for what was there before is no answer to it.
import { useLayoutEffect, useRef } from './preact.js';

export const kMoment = 300;

/** Whether what `key` stands for has been on the screen for a moment, unchanged. @param {string} key */
export function useSeen(key) {
  const seen = useRef({ key: '', since: Infinity });
  useLayoutEffect(() => {
    const begin = () => {
      seen.current = { key, since: Infinity };
      if (!document.hidden) requestAnimationFrame(() => {
        if (seen.current.key === key) seen.current.since = performance.now();
      });
    };
    begin();
    document.addEventListener('visibilitychange', begin);
    return () => document.removeEventListener('visibilitychange', begin);
  }, [key]);
  return () => seen.current.key === key && performance.now() - seen.current.since >= kMoment;
}
