'use strict';
// What Web IDL asks of every interface: argument conversions, the shape of classes, iterators over pairs.
const {
  ArrayPrototypePush, IteratorPrototype, ObjectDefineProperty, ObjectSetPrototypeOf, ReflectApply,
  ReflectGetOwnPropertyDescriptor, ReflectOwnKeys, StringPrototypeCharCodeAt, StringPrototypeToWellFormed,
  SymbolIterator, SymbolToStringTag, TypeError,
} = primordials;

const uncurry = (method) => (self, ...args) => ReflectApply(method, self, args);

function define_global(name, value) {
  ObjectDefineProperty(globalThis, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
}

// A list that ignores what the guest does to Array.prototype: without a prototype, a write to an index meets no setter.
const new_list = () => ObjectSetPrototypeOf([], null);

// What the inspector and structuredClone know of our classes, each as
//   prototype
//   describe(value)  the fields to show, or undefined when it is no instance
//   clone(value)     a copy, or undefined when it is no instance; absent where the standard allows no copies
const platform_classes = new_list();
host.internal.platform_classes = platform_classes;

// Gives a class the form of a Web IDL interface: members are enumerable and instances have a name.
function finish_interface(constructor, name, { static_members = [], describe, clone } = {}) {
  const { prototype } = constructor;
  const keys = ReflectOwnKeys(prototype);
  for (let i = 0; i < keys.length; ++i) {
    if (typeof keys[i] === 'string' && keys[i] !== 'constructor') {
      ObjectDefineProperty(prototype, keys[i], { __proto__: null, enumerable: true });
    }
  }
  for (let i = 0; i < static_members.length; ++i) {
    ObjectDefineProperty(constructor, static_members[i], { __proto__: null, enumerable: true });
  }
  ObjectDefineProperty(prototype, SymbolToStringTag, { __proto__: null, value: name, configurable: true });
  platform_classes[platform_classes.length] = { __proto__: null, prototype, describe, clone };
}

// Fields for `describe`, from names and values in turn.
function fields(...names_and_values) {
  const result = new_list();
  for (let i = 0; i < names_and_values.length; i += 2) {
    result[i / 2] = { __proto__: null, name: names_and_values[i], value: names_and_values[i + 1] };
  }
  return result;
}

function define_constants(constructor, constants) {
  const names = ReflectOwnKeys(constants);
  for (let i = 0; i < names.length; ++i) {
    const descriptor = { __proto__: null, value: constants[names[i]], enumerable: true };
    ObjectDefineProperty(constructor, names[i], descriptor);
    ObjectDefineProperty(constructor.prototype, names[i], descriptor);
  }
}

function require_arguments(given, needed, name) {
  if (given < needed) {
    throw new TypeError(`${name}: ${needed} argument${needed === 1 ? '' : 's'} required, but only ${given} present`);
  }
}

const to_usv_string = (value) => StringPrototypeToWellFormed(`${value}`);

function to_byte_string(value, what) {
  const text = `${value}`;
  for (let i = 0; i < text.length; ++i) {
    if (StringPrototypeCharCodeAt(text, i) > 0xff) throw new TypeError(`${what} has a character beyond U+00FF`);
  }
  return text;
}

const is_object = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

// A dictionary argument: undefined and null stand for an empty one.
function to_dictionary(value, what) {
  if (value === undefined || value === null) return { __proto__: null };
  if (!is_object(value)) throw new TypeError(`${what} must be an object`);
  return value;
}

// A sequence argument, read with the iteration protocol as the guest left it: that is the guest's own affair.
function to_sequence(value, what) {
  if (!is_object(value) || typeof value[SymbolIterator] !== 'function') throw new TypeError(`${what} must be iterable`);
  const list = new_list();
  for (const item of value) ArrayPrototypePush(list, item);
  return list;
}

// Names and values of an init argument: a sequence of pairs, or an object whose own enumerable properties are the pairs.
function to_pairs(init, convert, what) {
  const pairs = new_list();
  if (typeof init[SymbolIterator] === 'function') {
    const items = to_sequence(init, what);
    for (let i = 0; i < items.length; ++i) {
      const pair = to_sequence(items[i], `each item of ${what}`);
      if (pair.length !== 2) throw new TypeError(`each item of ${what} must be a name and a value`);
      pairs[pairs.length] = { __proto__: null, name: convert(pair[0]), value: convert(pair[1]) };
    }
    return pairs;
  }
  const keys = ReflectOwnKeys(init);
  let was_converted = false;
  for (let i = 0; i < keys.length; ++i) {
    const descriptor = ReflectGetOwnPropertyDescriptor(init, keys[i]);
    if (descriptor === undefined || !descriptor.enumerable) continue;
    const name = convert(keys[i]);
    const value = convert(init[keys[i]]);
    // Conversion can make one name of two keys; the later value then is in the earlier place.
    was_converted ||= name !== keys[i];
    let at = pairs.length;
    if (was_converted) for (let j = 0; j < pairs.length; ++j) if (pairs[j].name === name) at = j;
    pairs[at] = { __proto__: null, name, value };
  }
  return pairs;
}

// Adds entries, keys, values, forEach and iteration to `constructor`. `pairs_of(object)` returns its list as it is now, and
// fails for an object of another class.
function define_pair_iteration(constructor, name, pairs_of) {
  class PairIterator {
    #target;
    #kind;
    #index = 0;
    constructor(target, kind) {
      this.#target = target;
      this.#kind = kind;
    }
    next() {
      const pairs = pairs_of(this.#target);
      if (this.#index >= pairs.length) return { value: undefined, done: true };
      const pair = pairs[this.#index++];
      const value = this.#kind === 'keys' ? pair.name : this.#kind === 'values' ? pair.value : [pair.name, pair.value];
      return { value, done: false };
    }
  }
  delete PairIterator.prototype.constructor;
  finish_interface(PairIterator, `${name} Iterator`);
  ObjectSetPrototypeOf(PairIterator.prototype, IteratorPrototype);

  const { prototype } = constructor;
  const members = {
    entries() { return pairs_of(this), new PairIterator(this, 'entries'); },
    keys() { return pairs_of(this), new PairIterator(this, 'keys'); },
    values() { return pairs_of(this), new PairIterator(this, 'values'); },
    forEach(callback, this_argument = undefined) {
      pairs_of(this);
      if (typeof callback !== 'function') throw new TypeError(`${name}.forEach: the callback must be a function`);
      for (let i = 0; i < pairs_of(this).length; ++i) {
        const pair = pairs_of(this)[i];
        ReflectApply(callback, this_argument, [pair.value, pair.name, this]);
      }
    },
  };
  const keys = ReflectOwnKeys(members);
  for (let i = 0; i < keys.length; ++i) {
    const value = members[keys[i]];
    ObjectDefineProperty(prototype, keys[i], { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  }
  ObjectDefineProperty(prototype, SymbolIterator, {
    __proto__: null, value: members.entries, writable: true, enumerable: false, configurable: true,
  });
}

host.internal.webidl = {
  __proto__: null, define_constants, define_global, define_pair_iteration, fields, finish_interface, is_object, new_list,
  require_arguments, to_byte_string, to_dictionary, to_pairs, to_sequence, to_usv_string, uncurry,
};
