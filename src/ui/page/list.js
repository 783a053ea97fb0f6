// @ts-check
// A list of rows of one height of which only those near the screen are in the document: ten thousand cost no more than
// fifty.
import { html, useEffect, useLayoutEffect, useRef, useState } from './preact.js';

const kBeyond = 8;

/** @template T @param {{ rows: T[], height: number, label: string, row: (one: T, i: number) => unknown, keyOf: (one: T) => string,
 *   selected?: number, onEnd?: () => void }} props */
export function WindowedList({ rows, height, label, row, keyOf, selected = -1, onEnd }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [view, setView] = useState({ top: 0, size: 800 });
  const measure = () => {
    const element = box.current;
    if (element) setView({ top: element.scrollTop, size: element.clientHeight });
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || selected < 0) return;
    const top = selected * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight) element.scrollTop = top + height - element.clientHeight;
  }, [selected]);
  const first = Math.max(0, Math.floor(view.top / height) - kBeyond);
  const end = Math.min(rows.length, Math.ceil((view.top + view.size) / height) + kBeyond);
  useEffect(() => {
    if (onEnd && end >= rows.length) onEnd();
  }, [end, rows.length, onEnd]);
  return html`<div class="window" ref=${box} onScroll=${measure} tabindex="-1">
    <ul class="rows" aria-label=${label} style=${{ height: `${rows.length * height}px` }}>
      ${rows.slice(first, end).map((one, i) => html`<li key=${keyOf(one)} class="row" aria-setsize=${rows.length}
          aria-posinset=${first + i + 1}
        style=${{ top: `${(first + i) * height}px`, height: `${height}px` }}>${row(one, first + i)}</li>`)}
    </ul>
  </div>`;
}
