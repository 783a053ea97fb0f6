'use strict';
// The last word before guest code: what the realm must not offer, and what a run brings with it.

const { ObjectDefineProperty } = primordials;

// Shared memory is of use only to threads, and a counter in it would be a clock. Not part of the snapshot: V8 adds such
// globals when it makes a realm from one.
host.functions.finish_realm = () => {
  delete globalThis.SharedArrayBuffer;
  delete globalThis.Atomics;
};

host.functions.begin_run = (context, name, tools) => {
  host.internal.set_program(name);
  const define = (key) => ObjectDefineProperty(globalThis, key, { __proto__: null, value: context, writable: true, configurable: true });
  define('context');
  define('args');
  host.internal.connect_tools(tools ?? []);
};
