// @ts-check
// Figures over time as lines.
import { html } from './preact.js';
import { exact } from './times.js';

/** @typedef {{ at: number, value: number }} Point */

const kSize = { width: 320, height: 84, top: 6, bottom: 4 };

/** How much a count grew, per minute, in steps of a minute. What restarts at zero grew by what it is.
 * @template {{ at: number }} S
 * @param {S[]} samples @param {(sample: S) => number} count @param {number} from @param {number} to @returns {Point[]} */
export function perMinute(samples, count, from, to) {
  const steps = Math.max(1, Math.ceil((to - from) / 60_000));
  const grown = new Array(steps).fill(0);
  samples.forEach((sample, i) => {
    if (!i) return;
    const [before, now] = [count(samples[i - 1]), count(sample)];
    const step = Math.min(steps - 1, Math.max(0, Math.floor((sample.at - from) / 60_000)));
    grown[step] += now >= before ? now - before : now;
  });
  return grown.map((value, i) => ({ at: from + i * 60_000, value }));
}

/** A level that holds until the next sample, and to the end. @template {{ at: number }} S
 * @param {S[]} samples @param {(sample: S) => number} level @param {number} to @returns {Point[]} */
export const levels = (samples, level, to) => samples.length
  ? [...samples.map((sample) => ({ at: sample.at, value: level(sample) })), { at: to, value: level(samples[samples.length - 1]) }] : [];

/** @param {Point[]} points @param {number} from @param {number} to @param {number} most */
export function path(points, from, to, most) {
  const x = (/** @type {number} */ at) => Math.round(Math.max(0, Math.min(1, (at - from) / (to - from || 1))) * kSize.width * 10) / 10;
  const y = (/** @type {number} */ value) => Math.round((kSize.height - kSize.bottom - value / (most || 1) * (kSize.height - kSize.top - kSize.bottom)) * 10) / 10;
  return points.map(({ at, value }, i) => i ? `H${x(at)}V${y(value)}` : `M${x(at)} ${y(value)}`).join('');
}

/** @param {number} value */
const short = (value) => value >= 10_000 ? `${Math.round(value / 1000)}k` : String(Math.round(value * 10) / 10);

/** `last`: what is said of now, where the lines do not add up to it. `names` of the lines, where they differ in kind.
 * @param {{ title: string, unit: string, lines: Point[][], from: number, to: number, last?: number, names?: string[] }} props */
export function Chart({ title, unit, lines, from, to, last: said, names = [] }) {
  const values = lines.flatMap((points) => points.map(({ value }) => value));
  const most = Math.max(1, ...values);
  const last = said ?? lines.reduce((sum, points) => sum + (points.at(-1)?.value ?? 0), 0);
  const text = values.length ? `${title}: ${short(last)} ${unit} now, at most ${short(Math.max(...values))} since ${exact(from)}` : `${title}: nothing was measured`;
  return html`<figure class="chart"><figcaption><b>${title}</b> <span>${values.length ? `${short(last)} ${unit}` : 'nothing yet'}</span></figcaption>
    <svg viewBox=${`0 0 ${kSize.width} ${kSize.height}`} preserveAspectRatio="none" role="img" aria-label=${text}>
      <path class="axis" d=${`M0 ${kSize.height - kSize.bottom}H${kSize.width}`} />
      ${lines.map((points, i) => html`<path class=${`line-${i % 3}`} d=${path(points, from, to, most)} />`)}</svg>
    ${names.length > 0 && html`<span class="legend">${names.map((name, i) => html`<span class=${`key-${i % 3}`}>${name}</span>`)}</span>`}
    <span class="quiet">at most ${short(values.length ? Math.max(...values) : 0)}</span></figure>`;
}
