'use strict';
// emit(name, data, type?): a picture or a file for the client of the run, beside its result.

const { ArrayIsArray, JSONStringify, ObjectDefineProperty, String, TypeError } = primordials;
const { blob, call_sync, from_base64, text } = host.internal;
const { is_object } = host.internal.webidl;

// What a content block of a tool holds: { bytes, type }.
const content_of = (value) => {
  const block = value?.type === 'resource' ? value.resource : value;
  const data = value?.type === 'resource' ? block?.blob : block?.data;
  const is_medium = value?.type === 'resource' || value?.type === 'image' || value?.type === 'audio';
  if (!is_medium || typeof data !== 'string') return undefined;
  return { __proto__: null, bytes: from_base64(data), type: block.mimeType };
};

// A tool that makes a picture gives a list of blocks.
const content_in = (value) => {
  if (!ArrayIsArray(value)) return content_of(value);
  for (let i = 0; i < value.length; i++) {
    const found = content_of(value[i]);
    if (found !== undefined) return found;
  }
  return undefined;
};

const artifact_of = (data) => {
  if (typeof data === 'string') return { __proto__: null, bytes: text.encode_utf8(data), type: undefined };
  if (blob.is_blob(data)) return { __proto__: null, bytes: blob.blob_bytes(data), type: blob.blob_type(data) };
  const bytes = host.copy_bytes(data);
  if (bytes !== undefined) return { __proto__: null, bytes, type: undefined };
  if (is_object(data) && typeof data.then === 'function') throw new TypeError('emit was given a promise; await it first');
  const found = content_in(data);
  if (found !== undefined) return found;
  const json = JSONStringify(data);
  if (json === undefined) throw new TypeError('emit takes bytes, a Blob, text, a content block of a tool, or a value that has a JSON form');
  return { __proto__: null, bytes: text.encode_utf8(json), type: 'application/json' };
};

const { emit } = {
  emit(name, data, type = undefined) {
    if (typeof name !== 'string' || arguments.length < 2) {
      throw new TypeError('emit takes a name and data, as in emit("chart.svg", svg)');
    }
    const { bytes, type: own } = artifact_of(data);
    const said = type ?? own;
    const args = { __proto__: null, name, type: said === undefined ? '' : String(said) };
    return call_sync('emit', args, bytes).value;
  },
};
ObjectDefineProperty(globalThis, 'emit', { __proto__: null, value: emit, writable: true, configurable: true });
