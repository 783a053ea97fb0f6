// @ts-check
// Times as people say them, with the exact one on hover.
import { Observable, useValue } from './observable.js';
import { html } from './preact.js';
import { now } from './session.js';

const second = new Observable(0);
setInterval(() => document.hidden || second.set(second.value + 1), 1000);

/** @param {number} ms */
export function duration(ms) {
  if (ms < 1) return `${Math.max(0, ms).toFixed(2)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
/** @param {number} ms */
export function age(ms) {
  const seconds = Math.max(0, ms / 1000);
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
const kExact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
/** @param {number} at */
export const exact = (at) => Number.isFinite(at) ? kExact.format(at) : '';

/** How long ago. @param {{ at: number | string, suffix?: string }} props */
export function Ago({ at, suffix = '' }) {
  useValue(second);
  const ms = typeof at === 'number' ? at : Date.parse(at);
  if (!Number.isFinite(ms)) return null;
  const text = age(now() - ms);
  return html`<time class="ago" datetime=${new Date(ms).toISOString()} title=${exact(ms)}>${text}
    ${text === 'now' ? '' : suffix}</time>`;
}
/** How long something took, or takes. @param {{ from: number, to: number | null }} props */
export function Took({ from, to }) {
  useValue(second);
  return html`<span class="took">${duration((to ?? now()) - from)}</span>`;
}
