'use strict';
// TextEncoder, TextDecoder, atob and btoa, on the encodings in src/guest/web/text_ops.cc.

const {
  RangeError, StringPrototypeCharCodeAt, StringPrototypeSlice, StringPrototypeToLowerCase, Uint32Array, Uint8Array,
} = primordials;
const {
  define_global, fields, finish_interface, require_arguments, to_dictionary, to_usv_string,
} = host.internal.webidl;
const { DOMException } = host.internal;

// ---- TextEncoder

// The native side leaves the units read and the bytes written here.
const counts = new Uint32Array(2);

class TextEncoder {
  #brand;
  get encoding() { return this.#brand, 'utf-8'; }
  encode(input = '') { return this.#brand, host.utf8_encode(`${input}`); }
  encodeInto(source, destination) {
    this.#brand;
    require_arguments(arguments.length, 2, 'TextEncoder.encodeInto');
    host.utf8_encode_into(`${source}`, destination, counts);
    return { read: counts[0], written: counts[1] };
  }
  static {
    finish_interface(this, 'TextEncoder', { describe: (value) => (#brand in value ? fields('encoding', 'utf-8') : undefined) });
  }
}
define_global('TextEncoder', TextEncoder);

// ---- TextDecoder

// The native decoders, by their numbers.
const UTF_8 = 0, UTF_16LE = 1, UTF_16BE = 2, WINDOWS_1252 = 3;

// The encoding of a label in lower case, or undefined. Latin-1 and ASCII are windows-1252 in the Encoding standard.
function encoding_of(label) {
  switch (label) {
    case 'unicode-1-1-utf-8': case 'unicode11utf8': case 'unicode20utf8': case 'utf-8': case 'utf8': case 'x-unicode20utf8':
      return UTF_8;
    case 'csunicode': case 'iso-10646-ucs-2': case 'ucs-2': case 'unicode': case 'unicodefeff': case 'utf-16': case 'utf-16le':
      return UTF_16LE;
    case 'unicodefffe': case 'utf-16be':
      return UTF_16BE;
    case 'ansi_x3.4-1968': case 'ascii': case 'cp1252': case 'cp819': case 'csisolatin1': case 'ibm819': case 'iso-8859-1':
    case 'iso-ir-100': case 'iso8859-1': case 'iso88591': case 'iso_8859-1': case 'iso_8859-1:1987': case 'l1': case 'latin1':
    case 'us-ascii': case 'windows-1252': case 'x-cp1252':
      return WINDOWS_1252;
    default:
      return undefined;
  }
}

const name_of = (encoding) =>
  encoding === UTF_8 ? 'utf-8' : encoding === UTF_16LE ? 'utf-16le' : encoding === UTF_16BE ? 'utf-16be' : 'windows-1252';

const is_white_space = (code) => code === 32 || code === 9 || code === 10 || code === 12 || code === 13;

function trim(text) {
  let from = 0;
  let to = text.length;
  while (from < to && is_white_space(StringPrototypeCharCodeAt(text, from))) ++from;
  while (to > from && is_white_space(StringPrototypeCharCodeAt(text, to - 1))) --to;
  return StringPrototypeSlice(text, from, to);
}

const BYTE_ORDER_MARK = 0xfeff;
const no_bytes = new Uint8Array(0);

function without_mark(text) {
  return StringPrototypeCharCodeAt(text, 0) === BYTE_ORDER_MARK ? StringPrototypeSlice(text, 1) : text;
}

class TextDecoder {
  #encoding;
  #fatal;
  #ignore_bom;
  #carry = undefined;  // the start of a character between two chunks of a stream
  #is_streaming = false;
  #mark_is_past = false;

  constructor(label = 'utf-8', options = undefined) {
    const text = `${label}`;
    const encoding = encoding_of(StringPrototypeToLowerCase(trim(text)));
    const { fatal, ignoreBOM } = to_dictionary(options, 'TextDecoder: options');
    if (encoding === undefined) throw new RangeError(`The encoding '${StringPrototypeSlice(text, 0, 100)}' is not supported`);
    this.#encoding = encoding;
    this.#fatal = !!fatal;
    this.#ignore_bom = !!ignoreBOM;
  }

  get encoding() { return name_of(this.#encoding); }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignore_bom; }

  decode(input = no_bytes, options = undefined) {
    const encoding = this.#encoding;
    const stream = !!to_dictionary(options, 'TextDecoder.decode: options').stream;
    if (!this.#is_streaming) {
      this.#mark_is_past = false;
      if (stream) this.#carry = new Uint8Array(5);
    }
    const carry = stream || this.#is_streaming ? this.#carry : undefined;
    this.#is_streaming = stream;
    let text = host.decode(encoding, input, this.#fatal, carry, stream);
    if (!this.#mark_is_past && text !== '') {
      this.#mark_is_past = true;
      if (!this.#ignore_bom && encoding !== WINDOWS_1252) text = without_mark(text);
    }
    return text;
  }

  static {
    finish_interface(this, 'TextDecoder', {
      describe: (value) => (#encoding in value
        ? fields('encoding', name_of(value.#encoding), 'fatal', value.#fatal, 'ignoreBOM', value.#ignore_bom) : undefined),
    });
  }
}
define_global('TextDecoder', TextDecoder);

// ---- Base64

function atob(data) {
  require_arguments(arguments.length, 1, 'atob');
  const text = host.base64_decode(`${data}`);
  if (text === undefined) {
    throw new DOMException('The string to be decoded is not correctly encoded', 'InvalidCharacterError');
  }
  return text;
}

function btoa(data) {
  require_arguments(arguments.length, 1, 'btoa');
  const text = host.base64_encode(`${data}`);
  if (text === undefined) {
    throw new DOMException('The string to be encoded has a character beyond U+00FF', 'InvalidCharacterError');
  }
  return text;
}

define_global('atob', atob);
define_global('btoa', btoa);

// ---- For bodies and blobs

host.internal.text = {
  __proto__: null,
  // The standard's "UTF-8 decode": a byte order mark is dropped, mistakes are replaced.
  decode_utf8: (bytes) => without_mark(host.decode(UTF_8, bytes, false, undefined, false)),
  encode_utf8: (text) => host.utf8_encode(to_usv_string(text)),
};
