'use strict';
// crypto: random values from the run's own stream, and digests. Keys are not offered.

const {
  ArrayBufferIsView, StringPrototypeToUpperCase, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeGetSymbolToStringTag, TypeError, Uint8Array,
} = primordials;
const { define_global, finish_interface, is_object, require_arguments } = host.internal.webidl;
const { DOMException } = host.internal;

const MAX_RANDOM_BYTES = 65536;

let may_construct = false;
function refuse_construction() { if (!may_construct) throw new TypeError('Illegal constructor'); }

function construct(constructor) {
  may_construct = true;
  try {
    return new constructor();
  } finally {
    may_construct = false;
  }
}

const is_integer_array = (value) => {
  switch (TypedArrayPrototypeGetSymbolToStringTag(value)) {
    case 'Int8Array': case 'Uint8Array': case 'Uint8ClampedArray': case 'Int16Array': case 'Uint16Array': case 'Int32Array':
    case 'Uint32Array': case 'BigInt64Array': case 'BigUint64Array': return true;
    default: return false;
  }
};

// ---- SubtleCrypto

// The number of the native digest, or undefined.
function digest_number(algorithm) {
  const name = is_object(algorithm) ? algorithm.name : algorithm;
  if (is_object(algorithm) && name === undefined) throw new TypeError('SubtleCrypto.digest: the algorithm has no name');
  switch (StringPrototypeToUpperCase(`${name}`)) {
    case 'SHA-1': return 0;
    case 'SHA-256': return 1;
    case 'SHA-384': return 2;
    case 'SHA-512': return 3;
    default: return undefined;
  }
}

function not_supported(what) { return new DOMException(`${what} is not available in the sandbox`, 'NotSupportedError'); }

class SubtleCrypto {
  #brand;
  constructor() { refuse_construction(); }
  async digest(algorithm, data) {
    this.#brand;
    require_arguments(arguments.length, 2, 'SubtleCrypto.digest');
    const number = digest_number(algorithm);
    if (number === undefined) throw new DOMException('Unrecognized algorithm name', 'NotSupportedError');
    return host.digest(number, data);
  }
  async encrypt() { throw not_supported('SubtleCrypto.encrypt'); }
  async decrypt() { throw not_supported('SubtleCrypto.decrypt'); }
  async sign() { throw not_supported('SubtleCrypto.sign'); }
  async verify() { throw not_supported('SubtleCrypto.verify'); }
  async generateKey() { throw not_supported('SubtleCrypto.generateKey'); }
  async deriveKey() { throw not_supported('SubtleCrypto.deriveKey'); }
  async deriveBits() { throw not_supported('SubtleCrypto.deriveBits'); }
  async importKey() { throw not_supported('SubtleCrypto.importKey'); }
  async exportKey() { throw not_supported('SubtleCrypto.exportKey'); }
  async wrapKey() { throw not_supported('SubtleCrypto.wrapKey'); }
  async unwrapKey() { throw not_supported('SubtleCrypto.unwrapKey'); }
}
finish_interface(SubtleCrypto, 'SubtleCrypto');
define_global('SubtleCrypto', SubtleCrypto);

// ---- Crypto

const HEX = '0123456789abcdef';
const subtle = construct(SubtleCrypto);

class Crypto {
  #subtle = subtle;
  constructor() { refuse_construction(); }

  get subtle() { return this.#subtle; }

  getRandomValues(array) {
    this.#subtle;
    require_arguments(arguments.length, 1, 'Crypto.getRandomValues');
    if (!ArrayBufferIsView(array)) throw new TypeError('Crypto.getRandomValues: the argument must be an ArrayBufferView');
    if (!is_integer_array(array)) throw new DOMException('The array must be of an integer type', 'TypeMismatchError');
    const length = TypedArrayPrototypeGetByteLength(array);
    if (length > MAX_RANDOM_BYTES) {
      throw new DOMException(`The array's ${length} bytes exceed the quota of ${MAX_RANDOM_BYTES}`, 'QuotaExceededError');
    }
    if (length > 0) {
      host.random_bytes(new Uint8Array(TypedArrayPrototypeGetBuffer(array), TypedArrayPrototypeGetByteOffset(array), length));
    }
    return array;
  }

  randomUUID() {
    this.#subtle;
    const bytes = new Uint8Array(16);
    host.random_bytes(bytes);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;  // version 4
    bytes[8] = (bytes[8] & 0x3f) | 0x80;  // the variant of RFC 9562
    let text = '';
    for (let i = 0; i < 16; ++i) {
      if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
      text += HEX[bytes[i] >> 4] + HEX[bytes[i] & 15];
    }
    return text;
  }
}
finish_interface(Crypto, 'Crypto');
define_global('Crypto', Crypto);
define_global('crypto', construct(Crypto));
