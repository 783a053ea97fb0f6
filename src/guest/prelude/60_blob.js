'use strict';
// Blob: bytes that never change, so that slices and clones share them.

const {
  MathFloor, MathMax, MathMin, Number, PromiseResolve, StringPrototypeCharCodeAt, StringPrototypeSlice,
  StringPrototypeToLowerCase, TypedArrayPrototypeGetBuffer: buffer_of, TypedArrayPrototypeGetByteOffset,
  TypedArrayPrototypeGetLength: length_of, TypedArrayPrototypeSet, TypeError, Uint8Array,
} = primordials;
const {
  define_global, fields, finish_interface, is_object, new_list, to_dictionary, to_sequence, to_usv_string,
} = host.internal.webidl;
const { decode_utf8, encode_utf8 } = host.internal.text;
const { stream_of_source } = host.internal.streams;

let make_blob;
let is_blob;
let blob_bytes;
let blob_type;

// A type with any character beyond printable ASCII is no type.
function normalize_type(type) {
  for (let i = 0; i < type.length; ++i) {
    const code = StringPrototypeCharCodeAt(type, i);
    if (code < 0x20 || code > 0x7e) return '';
  }
  return StringPrototypeToLowerCase(type);
}

// endings: "native". The native line ending here is a single line feed.
function with_line_feeds(text) {
  let result = '';
  let from = 0;
  for (let i = 0; i < text.length; ++i) {
    if (StringPrototypeCharCodeAt(text, i) !== 13) continue;
    result += `${StringPrototypeSlice(text, from, i)}\n`;
    from = StringPrototypeCharCodeAt(text, i + 1) === 10 ? i + 2 : i + 1;
    i = from - 1;
  }
  return result + StringPrototypeSlice(text, from);
}

function bytes_of_part(part, endings) {
  if (is_blob(part)) return blob_bytes(part);
  const copy = host.copy_bytes(part);
  if (copy !== undefined) return copy;
  const text = to_usv_string(part);
  return encode_utf8(endings === 'native' ? with_line_feeds(text) : text);
}

function concatenate(chunks) {
  if (chunks.length === 1) return chunks[0];
  let length = 0;
  for (let i = 0; i < chunks.length; ++i) length += length_of(chunks[i]);
  const all = new Uint8Array(length);
  let at = 0;
  for (let i = 0; i < chunks.length; ++i) {
    TypedArrayPrototypeSet(all, chunks[i], at);
    at += length_of(chunks[i]);
  }
  return all;
}

// Web IDL's [Clamp]: to the nearest integer, to the even one of two equally near.
function round_half_even(value) {
  if (value !== value) return 0;
  const floor = MathFloor(value);
  const above = value - floor;
  return above < 0.5 || (above === 0.5 && floor % 2 === 0) ? floor : floor + 1;
}

// A position in the manner of slice: counted from the end when negative, kept inside.
function position(value, fallback, size) {
  if (value === undefined) return fallback;
  const at = MathMax(-size, MathMin(Number(value), size));
  const rounded = round_half_even(at);
  return rounded < 0 ? size + rounded : rounded;
}

// Not subarray(): that asks the guest's Symbol.species what to make.
const part_of = (bytes, from, to) => new Uint8Array(buffer_of(bytes), TypedArrayPrototypeGetByteOffset(bytes) + from, to - from);

// Bytes as a source for stream_of_source: copies, piece by piece, since a reader owns what it reads.
const PIECE_BYTES = 65536;
function source_of_bytes(bytes) {
  let at = 0;
  return {
    __proto__: null,
    read: () => {
      const from = at;
      at = MathMin(from + PIECE_BYTES, length_of(bytes));
      return PromiseResolve(from === at ? undefined : host.copy_bytes(part_of(bytes, from, at)));
    },
    cancel: () => { at = length_of(bytes); },
  };
}

let adopted_bytes;

class Blob {
  #bytes;  // never handed out: readers get copies
  #type;

  constructor(parts = undefined, options = undefined) {
    if (adopted_bytes !== undefined) {
      this.#bytes = adopted_bytes;
      this.#type = options;
      return;
    }
    if (parts !== undefined && !is_object(parts)) throw new TypeError('Blob: the parts must be iterable');
    const sequence = parts === undefined ? new_list() : to_sequence(parts, 'Blob: the parts');
    const { endings = 'transparent', type = '' } = to_dictionary(options, 'Blob: options');
    const line_endings = `${endings}`;
    if (line_endings !== 'transparent' && line_endings !== 'native') {
      throw new TypeError("Blob: endings must be 'transparent' or 'native'");
    }
    const chunks = new_list();
    for (let i = 0; i < sequence.length; ++i) chunks[i] = bytes_of_part(sequence[i], line_endings);
    this.#bytes = concatenate(chunks);
    this.#type = normalize_type(`${type}`);
  }

  get size() { return length_of(this.#bytes); }
  get type() { return this.#type; }

  slice(start = undefined, end = undefined, type = undefined) {
    const size = length_of(this.#bytes);
    const from = position(start, 0, size);
    const to = MathMax(position(end, size, size), from);
    return make_blob(part_of(this.#bytes, from, to), type === undefined ? '' : normalize_type(`${type}`));
  }

  stream() { return stream_of_source(source_of_bytes(this.#bytes)); }
  async text() { return decode_utf8(this.#bytes); }
  async arrayBuffer() { return buffer_of(host.copy_bytes(this.#bytes)); }
  async bytes() { return host.copy_bytes(this.#bytes); }

  static {
    // Takes the bytes without a copy.
    make_blob = (bytes, type) => {
      adopted_bytes = bytes;
      try {
        return new Blob(undefined, type);
      } finally {
        adopted_bytes = undefined;
      }
    };
    is_blob = (value) => is_object(value) && #bytes in value;
    blob_bytes = (blob) => blob.#bytes;
    blob_type = (blob) => blob.#type;
    finish_interface(this, 'Blob', {
      describe: (value) => (#bytes in value ? fields('size', length_of(value.#bytes), 'type', value.#type) : undefined),
      clone: (value) => (#bytes in value ? make_blob(value.#bytes, value.#type) : undefined),
    });
  }
}
define_global('Blob', Blob);

host.internal.blob = { __proto__: null, blob_bytes, blob_type, concatenate, is_blob, make_blob, source_of_bytes };
