'use strict';
// What a data: URL holds, as the Fetch standard reads it.

const {
  RegExpPrototypeExec, StringFromCharCode, StringPrototypeCharCodeAt, StringPrototypeIndexOf, StringPrototypeSlice,
  TypedArrayPrototypeGetBuffer: buffer_of, TypedArrayPrototypeGetLength: length_of, Uint8Array,
} = primordials;
const { encode_utf8 } = host.internal.text;
const { trim_http } = host.internal.http;
const { normalize_mime_type } = host.internal;

const hex_digit = (code) => {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

function percent_decode(bytes) {
  const size = length_of(bytes);
  const decoded = new Uint8Array(size);
  let length = 0;
  for (let i = 0; i < size; ++i) {
    let byte = bytes[i];
    if (byte === 37 && i + 2 < size) {
      const high = hex_digit(bytes[i + 1]);
      const low = hex_digit(bytes[i + 2]);
      if (high !== -1 && low !== -1) {
        byte = 16 * high + low;
        i += 2;
      }
    }
    decoded[length++] = byte;
  }
  return host.copy_bytes(new Uint8Array(buffer_of(decoded), 0, length));
}

// One byte for each character.
function bytes_of_binary(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = StringPrototypeCharCodeAt(text, i);
  return bytes;
}

function binary_of_bytes(bytes) {
  let text = '';
  for (let i = 0; i < length_of(bytes); ++i) text += StringFromCharCode(bytes[i]);
  return text;
}

const base64_mark = /; *base64$/i;

// { bytes, type } of a data: URL without its fragment, or undefined when it is none.
host.internal.read_data_url = (href) => {
  const comma = StringPrototypeIndexOf(href, ',');
  if (comma === -1) return undefined;
  let type = trim_http(StringPrototypeSlice(href, 'data:'.length, comma));
  let bytes = percent_decode(encode_utf8(StringPrototypeSlice(href, comma + 1)));
  const mark = RegExpPrototypeExec(base64_mark, type);
  if (mark !== null) {
    const binary = host.base64_decode(binary_of_bytes(bytes));
    if (binary === undefined) return undefined;
    bytes = bytes_of_binary(binary);
    type = StringPrototypeSlice(type, 0, mark.index);
  }
  if (type[0] === ';') type = `text/plain${type}`;
  return { __proto__: null, bytes, type: normalize_mime_type(type) || 'text/plain;charset=US-ASCII' };
};
