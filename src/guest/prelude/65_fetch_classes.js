'use strict';
// Request and Response of the Fetch standard. A body is bytes that are there from the start: there are no streams, so
// `body` and `formData` are absent.

const {
  JSONParse, JSONStringify, Number, RegExpPrototypeExec, StringPrototypeToUpperCase, TypedArrayPrototypeGetBuffer, TypeError,
  RangeError,
} = primordials;
const {
  define_global, fields, finish_interface, is_object, new_list, require_arguments, to_byte_string, to_dictionary, to_usv_string,
} = host.internal.webidl;
const { Headers, copy_headers, fill_headers, freeze_headers, header_of, is_token } = host.internal.headers;
const { decode_utf8, encode_utf8 } = host.internal.text;
const { blob_bytes, is_blob, make_blob } = host.internal.blob;
const { is_params, serialize_params } = host.internal.url;
const { dependent_signal, is_signal } = host.internal.abort;
const { URL } = host.internal;

// ---- Bodies

// The bytes of a body argument, and the content type that it implies or null.
function extract_body(value) {
  if (is_blob(value)) return { __proto__: null, bytes: blob_bytes(value), type: blob_type(value) || null };
  if (is_params(value)) {
    const text = primordials.ReflectApply(serialize_params, value, []);
    return { __proto__: null, bytes: encode_utf8(text), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  }
  const copy = host.copy_bytes(value);
  if (copy !== undefined) return { __proto__: null, bytes: copy, type: null };
  return { __proto__: null, bytes: encode_utf8(value), type: 'text/plain;charset=UTF-8' };
}
