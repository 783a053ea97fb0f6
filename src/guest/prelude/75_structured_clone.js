'use strict';
// structuredClone, on V8's serializer in src/guest/web/clone_ops.cc.

const { TypeError } = primordials;
const { define_global, is_object, new_list, require_arguments, to_dictionary, to_sequence } = host.internal.webidl;
const { DOMException, platform_classes } = host.internal;

function throw_data_clone_error(message) { throw new DOMException(message, 'DataCloneError'); }

// The copy of one of our own objects, or undefined where the standard has none.
function clone_platform_object(object) {
  for (let i = 0; i < platform_classes.length; ++i) {
    const copy = platform_classes[i].clone?.(object);
    if (copy !== undefined) return copy;
  }
  return undefined;
}

const prototypes = new_list();
for (let i = 0; i < platform_classes.length; ++i) prototypes[i] = platform_classes[i].prototype;

define_global('structuredClone', function structuredClone(value, options = undefined) {
  require_arguments(arguments.length, 1, 'structuredClone');
  const { transfer } = to_dictionary(options, 'structuredClone: options');
  const buffers = transfer === undefined ? new_list() : to_sequence(transfer, 'structuredClone: transfer');
  for (let i = 0; i < buffers.length; ++i) {
    if (!is_object(buffers[i])) throw new TypeError('structuredClone: each item of transfer must be an object');
  }
  return host.structured_clone(value, buffers, throw_data_clone_error, clone_platform_object, prototypes);
});
