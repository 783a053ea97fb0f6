'use strict';
// TextEncoderStream and TextDecoderStream: 50_text.js piece by piece.

const { ReflectGetOwnPropertyDescriptor, StringPrototypeCharCodeAt, StringPrototypeSlice, TypeError } = primordials;
const { define_global, fields, finish_interface, uncurry } = host.internal.webidl;
const { TransformStream, TransformStreamDefaultController } = host.internal.streams_library;
const { TextDecoder } = globalThis;

const decode = uncurry(TextDecoder.prototype.decode);
const enqueue = uncurry(TransformStreamDefaultController.prototype.enqueue);
const get_readable = uncurry(ReflectGetOwnPropertyDescriptor(TransformStream.prototype, 'readable').get);
const get_writable = uncurry(ReflectGetOwnPropertyDescriptor(TransformStream.prototype, 'writable').get);

const is_high_surrogate = (code) => code >= 0xd800 && code <= 0xdbff;

class TextEncoderStream {
  #high_surrogate = '';  // the first half of a character between two chunks
  #transform = new TransformStream({
    __proto__: null,
    transform: (chunk, controller) => {
      let text = this.#high_surrogate + `${chunk}`;
      this.#high_surrogate = '';
      if (text !== '' && is_high_surrogate(StringPrototypeCharCodeAt(text, text.length - 1))) {
        this.#high_surrogate = text[text.length - 1];
        text = StringPrototypeSlice(text, 0, text.length - 1);
      }
      if (text !== '') enqueue(controller, host.utf8_encode(text));
    },
    flush: (controller) => { if (this.#high_surrogate !== '') enqueue(controller, host.utf8_encode('\ufffd')); },
  });

  get encoding() { return this.#transform && 'utf-8'; }
  get readable() { return get_readable(this.#transform); }
  get writable() { return get_writable(this.#transform); }

  static {
    finish_interface(this, 'TextEncoderStream', {
      describe: (value) => (#transform in value ? fields('encoding', 'utf-8', 'readable', get_readable(value.#transform),
        'writable', get_writable(value.#transform)) : undefined),
    });
  }
}
define_global('TextEncoderStream', TextEncoderStream);

class TextDecoderStream {
  #decoder;
  #transform;

  constructor(label = 'utf-8', options = undefined) {
    const decoder = new TextDecoder(label, options);
    this.#decoder = decoder;
    const give = (text, controller) => { if (text !== '') enqueue(controller, text); };
    this.#transform = new TransformStream({
      __proto__: null,
      transform: (chunk, controller) => {
        if (chunk === undefined) throw new TypeError('TextDecoderStream: a chunk must be a buffer or a view of one');
        give(decode(decoder, chunk, { __proto__: null, stream: true }), controller);
      },
      flush: (controller) => give(decode(decoder), controller),
    });
  }

  get encoding() { return get_encoding(this.#decoder); }
  get fatal() { return get_fatal(this.#decoder); }
  get ignoreBOM() { return get_ignore_bom(this.#decoder); }
  get readable() { return get_readable(this.#transform); }
  get writable() { return get_writable(this.#transform); }

  static {
    finish_interface(this, 'TextDecoderStream', {
      describe: (value) => (#transform in value ? fields('encoding', get_encoding(value.#decoder),
        'fatal', get_fatal(value.#decoder), 'ignoreBOM', get_ignore_bom(value.#decoder),
        'readable', get_readable(value.#transform), 'writable', get_writable(value.#transform)) : undefined),
    });
  }
}
const decoder_getter = (key) => uncurry(ReflectGetOwnPropertyDescriptor(TextDecoder.prototype, key).get);
const get_encoding = decoder_getter('encoding');
const get_fatal = decoder_getter('fatal');
const get_ignore_bom = decoder_getter('ignoreBOM');
define_global('TextDecoderStream', TextDecoderStream);
