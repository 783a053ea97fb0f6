'use strict';
// Node's Buffer, as far as programs use it to turn bytes into base64, hex and text and back.

const { ArrayIsArray, NumberPrototypeToString, StringFromCharCode, StringPrototypeCharCodeAt, StringPrototypeReplaceAll,
  StringPrototypeSlice, StringPrototypeToLowerCase, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeSet,
  TypedArrayPrototypeSubarray, TypeError, Uint8Array, parseInt } = primordials;
const { define_global } = host.internal.webidl;
const { decode_utf8, encode_utf8 } = host.internal.text;

const from_base64 = (text) => {
  // As Node does, either alphabet is read whichever is named.
  const units = host.base64_decode(StringPrototypeReplaceAll(StringPrototypeReplaceAll(text, '-', '+'), '_', '/'));
  if (units === undefined) throw new TypeError('The text is not base64');
  const bytes = new Uint8Array(units.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = StringPrototypeCharCodeAt(units, i);
  return bytes;
};
const to_base64 = (bytes) => {
  let units = '';
  for (let i = 0; i < bytes.length; i++) units += StringFromCharCode(bytes[i]);
  return host.base64_encode(units);
};
const from_hex = (text) => {
  const bytes = new Uint8Array(text.length >> 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(StringPrototypeSlice(text, 2 * i, 2 * i + 2), 16);
  return bytes;
};
const to_hex = (bytes) => {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += (bytes[i] < 16 ? '0' : '') + NumberPrototypeToString(bytes[i], 16);
  return text;
};
const to_base64url = (bytes) =>
  StringPrototypeReplaceAll(StringPrototypeReplaceAll(StringPrototypeReplaceAll(to_base64(bytes), '+', '-'), '/', '_'), '=', '');

const utf8 = { __proto__: null, to_bytes: encode_utf8, to_text: decode_utf8 };
const codecs = { __proto__: null, utf8, 'utf-8': utf8,
  hex: { __proto__: null, to_bytes: from_hex, to_text: to_hex },
  base64: { __proto__: null, to_bytes: from_base64, to_text: to_base64 },
  base64url: { __proto__: null, to_bytes: from_base64, to_text: to_base64url } };

const codec = (encoding = 'utf8') => {
  const found = codecs[StringPrototypeToLowerCase(`${encoding}`)];
  if (found === undefined) throw new TypeError(`Buffer knows utf8, base64, base64url and hex, not "${encoding}"`);
  return found;
};

class Buffer extends Uint8Array {
  static from(value, encoding) {
    if (typeof value === 'string') return new Buffer(codec(encoding).to_bytes(value));
    return new Buffer(value);
  }
  static isBuffer(value) { return value instanceof Buffer; }
  static byteLength(value, encoding) {
    return TypedArrayPrototypeGetByteLength(Buffer.from(value, encoding));
  }
  static concat(list) {
    if (!ArrayIsArray(list)) throw new TypeError('Buffer.concat takes an array of buffers');
    let size = 0;
    for (let i = 0; i < list.length; i++) size += TypedArrayPrototypeGetByteLength(list[i]);
    const all = new Buffer(size);
    for (let i = 0, at = 0; i < list.length; at += TypedArrayPrototypeGetByteLength(list[i++])) TypedArrayPrototypeSet(all, list[i], at);
    return all;
  }
  toString(encoding, from = 0, to = TypedArrayPrototypeGetByteLength(this)) {
    return codec(encoding).to_text(TypedArrayPrototypeSubarray(this, from, to));
  }
}
define_global('Buffer', Buffer);
host.internal.from_base64 = from_base64;
