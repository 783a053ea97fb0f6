'use strict';
// The Streams standard as web-streams-polyfill has it (52_streams_library.js, made by scripts/make_streams_prelude.mjs): its
// classes become globals, and what bodies and blobs need of them is captured. The library is part of the guest's own realm:
// code that changes Promise or Array under it harms only itself.

const {
  ObjectHasOwn, PromisePrototypeThen, ReflectApply, ReflectGetOwnPropertyDescriptor, TypedArrayPrototypeGetLength: length_of,
} = primordials;
const { define_global, fields, finish_interface, is_object, new_list, uncurry } = host.internal.webidl;
const { streams_library: library, stream_slots: slots } = host.internal;

// The class, a slot that only its instances have, and the getters that the inspector shows.
const classes = [
  ['ReadableStream', 'readableStreamController', ['locked']],
  ['ReadableStreamDefaultReader', 'readRequests', ['closed']],
  ['ReadableStreamBYOBReader', 'readIntoRequests', ['closed']],
  ['ReadableStreamDefaultController', 'controlledReadableStream', ['desiredSize']],
  ['ReadableByteStreamController', 'controlledReadableByteStream', ['desiredSize']],
  ['ReadableStreamBYOBRequest', 'associatedReadableByteStreamController', ['view']],
  ['WritableStream', 'writableStreamController', ['locked']],
  ['WritableStreamDefaultWriter', 'ownerWritableStream', ['closed']],
  ['WritableStreamDefaultController', 'controlledWritableStream', ['signal']],
  ['TransformStream', 'transformStreamController', ['readable', 'writable']],
  ['TransformStreamDefaultController', 'controlledTransformStream', ['desiredSize']],
  ['ByteLengthQueuingStrategy', 'byteLengthQueuingStrategyHighWaterMark', ['highWaterMark']],
  ['CountQueuingStrategy', 'countQueuingStrategyHighWaterMark', ['highWaterMark']],
];
for (const [name, slot_name, shown] of classes) {
  const constructor = library[name];
  const slot = slots[slot_name];
  const getters = shown.map((key) => ReflectGetOwnPropertyDescriptor(constructor.prototype, key).get);
  finish_interface(constructor, name, {
    describe: (value) => {
      if (!ObjectHasOwn(value, slot)) return undefined;
      const parts = new_list();
      for (let i = 0; i < shown.length; ++i) {
        parts[2 * i] = shown[i];
        parts[2 * i + 1] = ReflectApply(getters[i], value, []);
      }
      return ReflectApply(fields, undefined, parts);
    },
  });
  define_global(name, constructor);
}

// ---- For bodies and blobs

const { ReadableByteStreamController, ReadableStream, ReadableStreamBYOBRequest, TransformStream } = library;
const getter = (prototype, key) => uncurry(ReflectGetOwnPropertyDescriptor(prototype, key).get);
const get_locked = getter(ReadableStream.prototype, 'locked');
const get_byob_request = getter(ReadableByteStreamController.prototype, 'byobRequest');
const close_controller = uncurry(ReadableByteStreamController.prototype.close);
const enqueue = uncurry(ReadableByteStreamController.prototype.enqueue);
const fail_controller = uncurry(ReadableByteStreamController.prototype.error);
const respond = uncurry(ReadableStreamBYOBRequest.prototype.respond);
const get_reader = uncurry(ReadableStream.prototype.getReader);
const pipe_through = uncurry(ReadableStream.prototype.pipeThrough);
const tee = uncurry(ReadableStream.prototype.tee);

const is_stream = (value) => is_object(value) && ObjectHasOwn(value, slots.readableStreamController);
const is_locked = (stream) => get_locked(stream);
const is_disturbed = (stream) => stream[slots.disturbed] === true;

function end_stream(controller) {
  close_controller(controller);
  // A reader that waits with its own buffer gets it back only so.
  const request = get_byob_request(controller);
  if (request !== null) respond(request, 0);
}

// A stream of bytes out of a source:
//   read()          promises the next bytes, which the stream takes over, or undefined at the end
//   cancel(reason)  is called when reading stops early
//   fail            is set here: fail(reason) breaks the stream before it is read on
function stream_of_source(source) {
  let controller;
  const pull = () => PromisePrototypeThen(source.read(), (bytes) => {
    if (bytes === undefined) return end_stream(controller);
    if (length_of(bytes) === 0) return pull();
    return enqueue(controller, bytes);
  });
  source.fail = (reason) => fail_controller(controller, reason);
  return new ReadableStream({
    __proto__: null, type: 'bytes', start: (given) => { controller = given; }, pull, cancel: source.cancel,
  });
}

host.internal.streams = {
  __proto__: null, get_reader, is_disturbed, is_locked, is_stream, stream_of_source, tee,
  cancel_reader: uncurry(library.ReadableStreamDefaultReader.prototype.cancel),
  read_chunk: uncurry(library.ReadableStreamDefaultReader.prototype.read),
  stream_from: ReadableStream.from,
  // What `stream` has still to give, as a stream of its own; `stream` is locked from now on.
  take_over: (stream) => pipe_through(stream, new TransformStream()),
};
