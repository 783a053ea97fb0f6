'use strict';
// The body of a Request or Response: bytes that are there from the start, a source that is asked for them, or a stream.
// Most bodies are read whole and never seen as a stream, so the stream is made on demand.

const {
  JSONParse, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ReflectApply, ReflectOwnKeys, StringPrototypeToLowerCase,
  SymbolAsyncIterator, TypedArrayPrototypeGetBuffer: buffer_of, TypedArrayPrototypeGetSymbolToStringTag: kind_of_view,
  TypeError, Uint8Array,
} = primordials;
const { is_object, new_list } = host.internal.webidl;
const { header_of } = host.internal.headers;
const { decode_utf8, encode_utf8 } = host.internal.text;
const { blob_bytes, blob_type, concatenate, is_blob, make_blob, source_of_bytes } = host.internal.blob;
const { is_params, serialize_params } = host.internal.url;
const {
  cancel_reader, get_reader, is_disturbed, is_locked, is_stream, read_chunk, stream_from, stream_of_source, take_over, tee,
} = host.internal.streams;
const { normalize_mime_type } = host.internal;

// `used` counts only until there is a stream, which then knows itself.
const new_body = (bytes, source, stream) => ({ __proto__: null, bytes, source, stream, used: false });
const no_body = () => new_body(null, null, null);
const body_of_bytes = (bytes) => new_body(bytes, null, null);
const body_of_source = (source) => new_body(null, source, null);
const body_of_stream = (stream) => new_body(null, null, stream);

const is_null = (body) => body.bytes === null && body.source === null && body.stream === null;
const is_used = (body) => (body.stream === null ? body.used : is_disturbed(body.stream));
const is_unusable = (body) => is_used(body) || (body.stream !== null && is_locked(body.stream));

function refuse_unusable(body, message) {
  if (is_unusable(body)) throw new TypeError(message);
}

// A body argument as { body, type }: the content type that it implies, or null.
function extract_body(value) {
  const extracted = (body, type) => ({ __proto__: null, body, type });
  if (is_blob(value)) return extracted(body_of_bytes(blob_bytes(value)), blob_type(value) || null);
  if (is_params(value)) {
    const text = ReflectApply(serialize_params, value, []);
    return extracted(body_of_bytes(encode_utf8(text)), 'application/x-www-form-urlencoded;charset=UTF-8');
  }
  if (is_stream(value)) {
    if (is_locked(value) || is_disturbed(value)) throw new TypeError('ReadableStream is locked or disturbed');
    return extracted(body_of_stream(value), null);
  }
  const copy = host.copy_bytes(value);
  if (copy !== undefined) return extracted(body_of_bytes(copy), null);
  if (is_object(value) && typeof value[SymbolAsyncIterator] === 'function') {
    return extracted(body_of_stream(stream_from(value)), null);
  }
  return extracted(body_of_bytes(encode_utf8(value)), 'text/plain;charset=UTF-8');
}

function stream_of(body) {
  if (body.stream !== null || is_null(body)) return body.stream;
  if (body.used) {
    body.stream = stream_of_source(source_of_bytes(new Uint8Array(0)));
    cancel_reader(get_reader(body.stream));
  } else {
    body.stream = stream_of_source(body.source ?? source_of_bytes(body.bytes));
  }
  body.bytes = body.source = null;
  return body.stream;
}

// Two bodies out of one: returns the second.
function clone_body(body, message) {
  refuse_unusable(body, message);
  if (body.bytes !== null || is_null(body)) return body_of_bytes(body.bytes);
  const branches = tee(stream_of(body));
  body.stream = branches[0];
  return body_of_stream(branches[1]);
}

// Moves what is in `body` to the body that is returned.
function move_body(body, message) {
  refuse_unusable(body, message);
  if (body.stream !== null) return body_of_stream(take_over(body.stream));
  const moved = new_body(body.bytes, body.source, null);
  body.used = !is_null(body);
  return moved;
}

// The next bytes of a reader, or undefined at the end. Streams of the guest's making can hold anything.
async function read_bytes(reader) {
  const { done, value } = await read_chunk(reader);
  if (done) return undefined;
  if (kind_of_view(value) === 'Uint8Array') return value;
  const error = new TypeError('Cannot convert value to Uint8Array while consuming the stream');
  cancel_reader(reader, error);
  throw error;
}

async function read_all(read) {
  const chunks = new_list();
  for (;;) {
    const bytes = await read();
    if (bytes === undefined) return chunks;
    chunks[chunks.length] = bytes;
  }
}

// All bytes of a body, which is used from now on: { bytes, are_own }, where what is not its own may be in other bodies and
// blobs too and must never change. A body that is null can be read again and again.
const no_bytes = new Uint8Array(0);
async function consume(body) {
  refuse_unusable(body, 'Body already consumed');
  if (is_null(body)) return { __proto__: null, bytes: no_bytes, are_own: false };
  if (body.stream !== null) {
    const reader = get_reader(body.stream);
    const chunks = await read_all(() => read_bytes(reader));
    // The code that made the stream may still hold its chunks.
    return { __proto__: null, bytes: chunks.length === 1 ? host.copy_bytes(chunks[0]) : concatenate(chunks), are_own: true };
  }
  body.used = true;
  if (body.bytes !== null) return { __proto__: null, bytes: body.bytes, are_own: false };
  return { __proto__: null, bytes: concatenate(await read_all(body.source.read)), are_own: true };
}

async function bytes_of(body) {
  const { bytes } = await consume(body);
  return bytes;
}

async function own_bytes_of(body) {
  const { are_own, bytes } = await consume(body);
  return are_own ? bytes : host.copy_bytes(bytes);
}

// Adds what Request and Response have in common. `parts_of(object)` returns its { body, headers }.
function define_body(constructor, parts_of) {
  const members = {
    get body() { return stream_of(parts_of(this).body); },
    get bodyUsed() { return is_used(parts_of(this).body); },
    async arrayBuffer() { return buffer_of(await own_bytes_of(parts_of(this).body)); },
    async blob() {
      const { body, headers } = parts_of(this);
      const bytes = await bytes_of(body);
      const type = header_of(headers, 'content-type');
      return make_blob(bytes, type === null ? '' : StringPrototypeToLowerCase(normalize_mime_type(type)));
    },
    async bytes() { return own_bytes_of(parts_of(this).body); },
    async json() { return JSONParse(decode_utf8(await bytes_of(parts_of(this).body))); },
    async text() { return decode_utf8(await bytes_of(parts_of(this).body)); },
  };
  const names = ReflectOwnKeys(members);
  for (let i = 0; i < names.length; ++i) {
    ObjectDefineProperty(constructor.prototype, names[i], ObjectGetOwnPropertyDescriptor(members, names[i]));
  }
}

host.internal.body = {
  __proto__: null, body_of_bytes, body_of_source, clone_body, define_body, extract_body, is_null, is_used, move_body, no_body,
  read_bytes, stream_of,
};
