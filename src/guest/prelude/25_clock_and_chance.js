'use strict';
// performance.now on the guest's clock, and Math.random from the run's seed.

const { ObjectDefineProperty } = primordials;

// sfc32: small, fast, and a full period from any seed.
let a = 0, b = 0, c = 0, counter = 1;
// The first number that a run draws is noted: without one, another seed gives the same result.
let was_used = false;
const next_word = () => {
  const sum = (((a + b) | 0) + counter) | 0;
  counter = (counter + 1) | 0;
  a = b ^ (b >>> 9);
  b = (c + (c << 3)) | 0;
  c = (c << 21) | (c >>> 11);
  c = (c + sum) | 0;
  return sum >>> 0;
};

host.functions.seed_math_random = (first, second, third, fourth) => {
  a = first | 0; b = second | 0; c = third | 0; counter = fourth | 1;
  for (let i = 0; i < 12; i++) next_word();
  was_used = false;
};

const random = function random() {
  if (!was_used) { was_used = true; host.note_chance(); }
  // 53 bits, as every number in [0, 1) that a double can hold at that spacing.
  return ((next_word() >>> 5) * 67108864 + (next_word() >>> 6)) / 9007199254740992;
};
ObjectDefineProperty(Math, 'random', { __proto__: null, value: random, writable: true, configurable: true });

class Performance {
  now() { return host.ms_since_start(); }
  get timeOrigin() { return host.now() - host.ms_since_start(); }
  toJSON() { return { timeOrigin: this.timeOrigin }; }
}
ObjectDefineProperty(globalThis, 'performance', { __proto__: null, value: new Performance(), writable: true, configurable: true });
