'use strict';
// The last word before guest code: what a run brings with it.

const { ObjectDefineProperty, ObjectHasOwn } = primordials;

host.functions.begin_run = (context, name, tools) => {
  host.internal.set_program(name);
  const define = (key) => ObjectDefineProperty(globalThis, key, { __proto__: null, value: context, writable: true, configurable: true });
  define('context');
  define('args');
  // A task of a workflow reads what it depends on by this name.
  if (context !== null && typeof context === 'object' && ObjectHasOwn(context, 'deps')) {
    ObjectDefineProperty(globalThis, 'deps', { __proto__: null, value: context.deps, writable: true, configurable: true });
  }
  host.internal.connect_tools(tools ?? []);
};
