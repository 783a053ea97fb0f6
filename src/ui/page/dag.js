// @ts-check
// A workflow as a drawing: a column per layer, a box per task, arrows where the dependencies are known. Of a wide layer
// the first boxes are drawn, and one that counts the others.
import { toneOf } from './notes.js';
import { html } from './preact.js';
import { plain } from './words.js';

/** @typedef {import('../types/api').Task} Task */
/** @typedef {{ task: Task | null, label: string, low: string, tone: string, x: number, y: number }} Box */

const kBox = { width: 168, height: 40, across: 56, down: 12 };
const kMost = 8;
const kMostLayers = 200;
const kLetters = 60;

/** @param {Task[]} tasks */
function counts(tasks) {
  /** @type {Map<string, number>} */ const found = new Map();
  for (const { status } of tasks) found.set(status, (found.get(status) ?? 0) + 1);
  return [...found].map(([status, count]) => `${count} ${plain(status, 14)}`).join(', ');
}

/** @param {Task[]} tasks @returns {{ boxes: Box[], columns: number, rows: number }} */
export function layout(tasks) {
  /** @type {Map<number, Task[]>} */ const layers = new Map();
  for (const task of tasks) {
    const some = layers.get(task.layer);
    if (some) some.push(task);
    else layers.set(task.layer, [task]);
  }
  const columns = [...layers.entries()].sort(([a], [b]) => a - b).slice(0, kMostLayers);
  let rows = 1;
  const boxes = columns.flatMap(([, some], column) => {
    const drawn = some.length > kMost + 1 ? some.slice(0, kMost) : some;
    const folded = some.slice(drawn.length);
    /** @type {{ task: Task | null, label: string, low: string, tone: string }[]} */
    const list = drawn.map((task) => ({ task, label: plain(task.id, kLetters), low: plain(task.status, 14) + (task.attempt && task.attempt > 1 ? `, attempt ${task.attempt}` : ''), tone: toneOf(task.status) }));
    if (folded.length) list.push({ task: null, label: `${folded.length} more`, low: counts(folded), tone: '' });
    rows = Math.max(rows, list.length);
    return list.map((one, row) => ({ ...one, x: 8 + column * (kBox.width + kBox.across), y: 8 + row * (kBox.height + kBox.down) }));
  });
  return { boxes, columns: columns.length, rows };
}

/** @param {Box} from @param {Box} to */
function arrow(from, to) {
  const [x, y] = [from.x + kBox.width, from.y + kBox.height / 2];
  const [endX, endY] = [to.x, to.y + kBox.height / 2];
  const bend = Math.min(40, (endX - x) / 2);
  return `M${x} ${y} C${x + bend} ${y} ${endX - bend} ${endY} ${endX} ${endY}`;
}

/** @param {{ tasks: Task[], selected: string, onSelect: (id: string) => void }} props */
export function Dag({ tasks, selected, onSelect }) {
  const { boxes, columns, rows } = layout(tasks);
  const width = 16 + columns * kBox.width + Math.max(0, columns - 1) * kBox.across;
  const height = 16 + rows * kBox.height + (rows - 1) * kBox.down;
  const byId = new Map(boxes.flatMap((box) => box.task ? [[box.task.id, box]] : []));
  const arrows = boxes.flatMap((box) => (box.task?.dependencies ?? []).flatMap((id) => {
    const from = byId.get(id);
    return from ? [arrow(from, box)] : [];
  }));
  const choose = (/** @type {Task | null} */ task) => task && onSelect(task.id);
  return html`<div class="dag" tabindex="0" role="region" aria-label="Tasks by layer">
    <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} role="group"
        aria-label=${`${tasks.length} tasks in ${columns} layers`}>
      ${arrows.map((path) => html`<path class="arrow" d=${path} />`)}
      ${boxes.map((box) => html`<g class=${`task ${box.tone} ${box.task && box.task.id === selected ? 'current' : ''}`}
          transform=${`translate(${box.x} ${box.y})`}
          role=${box.task ? 'button' : 'img'} tabindex=${box.task ? '0' : null} aria-label=${`${box.label} ${box.low}`}
              aria-pressed=${box.task ? String(box.task.id === selected) : null} onClick=${() => choose(box.task)}
          onKeyDown=${(/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(box.task); } }}>
        <rect width=${kBox.width} height=${kBox.height} rx="6" />
        <rect class="edge" width="4" height=${kBox.height} rx="2" />
        <svg x="14" width=${kBox.width - 20} height=${kBox.height}><text y="17">${box.label}
          </text> <text class="low" y="32">${box.low}</text></svg></g>`)}
    </svg>
  </div>`;
}
