'use strict';
// Timers on the guest's clock, which moves only when the gateway says so. A binary heap ordered by deadline, then by age.

const { ArrayPrototypePush, ArrayPrototypePop, Map, MapPrototypeDelete, MapPrototypeGet, MapPrototypeSet,
  MapPrototypeGetSize, Number, ObjectDefineProperty, ObjectSetPrototypeOf, ReflectApply, TypeError, PromisePrototypeThen,
  PromiseResolve } = primordials;

// Without a prototype: a setter that guest code puts on an index of Array.prototype is not asked.
const heap = ObjectSetPrototypeOf([], null);
const by_id = new Map();
let last_id = 0;

const before = (a, b) => a.deadline < b.deadline || (a.deadline === b.deadline && a.order < b.order);

const place = (index, timer) => { heap[index] = timer; };

const push = (timer) => {
  let at = heap.length;
  ArrayPrototypePush(heap, timer);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(timer, heap[parent])) break;
    place(at, heap[parent]);
    at = parent;
  }
  place(at, timer);
};

const pop = () => {
  const first = heap[0];
  const last = ArrayPrototypePop(heap);
  const count = heap.length;
  if (count === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && before(heap[child + 1], heap[child])) child++;
    if (!before(heap[child], last)) break;
    place(at, heap[child]);
    at = child;
  }
  place(at, last);
  return first;
};

// Cleared timers stay in the heap until they surface.
const drop_cleared = () => { while (heap.length > 0 && heap[0].cleared) pop(); };

let order = 0;
const add = (callback, delay, repeat, rest) => {
  if (typeof callback !== 'function') throw new TypeError('The callback of a timer must be a function');
  if (MapPrototypeGetSize(by_id) >= host.max_timers || heap.length >= 4 * host.max_timers) {
    throw host.internal.limit_error('At most ' + host.max_timers + ' timers may be pending at a time', 'TIMER_LIMIT');
  }
  let wait = Number(delay);
  if (!(wait > 0)) wait = 0;
  if (wait > 2147483647) wait = 2147483647;
  wait = wait - (wait % 1);
  if (repeat && wait < 1) wait = 1;
  const timer = { __proto__: null, id: ++last_id, callback, rest, wait, repeat, deadline: host.now() + wait, order: ++order, cleared: false };
  MapPrototypeSet(by_id, timer.id, timer);
  push(timer);
  return timer.id;
};

const clear = (id) => {
  const timer = MapPrototypeGet(by_id, Number(id));
  if (timer === undefined) return;
  timer.cleared = true;
  MapPrototypeDelete(by_id, timer.id);
};

const setTimeout = function setTimeout(callback, delay = 0, ...rest) { return add(callback, delay, false, rest); };
const setInterval = function setInterval(callback, delay = 0, ...rest) { return add(callback, delay, true, rest); };
const clearTimeout = function clearTimeout(id) { clear(id); };
const clearInterval = function clearInterval(id) { clear(id); };
const resolved = PromiseResolve(undefined);
const queueMicrotask = function queueMicrotask(callback) {
  if (typeof callback !== 'function') throw new TypeError('The callback of queueMicrotask must be a function');
  PromisePrototypeThen(resolved, () => { callback(); });
};

host.internal.setTimeout = setTimeout;
host.internal.clearTimeout = clearTimeout;

host.functions.next_deadline = () => {
  drop_cleared();
  return heap.length === 0 ? -1 : heap[0].deadline;
};

host.functions.fire_due_timer = () => {
  drop_cleared();
  if (heap.length === 0 || heap[0].deadline > host.now()) return false;
  const timer = pop();
  if (timer.repeat) {
    timer.deadline = host.now() + timer.wait;
    timer.order = ++order;
    push(timer);
  } else {
    MapPrototypeDelete(by_id, timer.id);
  }
  ReflectApply(timer.callback, undefined, timer.rest);
  return true;
};

const globals = { __proto__: null, setTimeout, setInterval, clearTimeout, clearInterval, queueMicrotask };
for (const name in globals) {
  ObjectDefineProperty(globalThis, name, { __proto__: null, value: globals[name], writable: true, configurable: true });
}
