'use strict';
// Captures the intrinsics before any guest code can change them, in the naming of Node's primordials:
// ArrayPrototypePush(array, value), ObjectDefineProperty, TypedArrayPrototypeGetLength(view), SymbolIterator.

const { apply, getOwnPropertyDescriptor, ownKeys, getPrototypeOf, defineProperty } = Reflect;
const uncurry = (method) => (self, ...rest) => apply(method, self, rest);

const capital = (key) => {
  const text = typeof key === 'symbol' ? 'Symbol' + key.description.slice(7, 8).toUpperCase() + key.description.slice(8) : key;
  return text[0].toUpperCase() + text.slice(1);
};

const put = (name, value) => defineProperty(primordials, name, { __proto__: null, value, enumerable: true });

const copy_statics = (source, prefix) => {
  for (const key of ownKeys(source)) {
    if (key === 'prototype' || key === 'length' || key === 'name' || key === 'caller' || key === 'arguments') continue;
    const descriptor = getOwnPropertyDescriptor(source, key);
    if ('get' in descriptor) continue;
    const value = descriptor.value;
    put(prefix + capital(key), typeof value === 'function' ? value.bind(source) : value);
  }
};

const copy_prototype = (prototype, prefix) => {
  for (const key of ownKeys(prototype)) {
    if (key === 'constructor') continue;
    const descriptor = getOwnPropertyDescriptor(prototype, key);
    if (descriptor.get) {
      put(prefix + 'Get' + capital(key), uncurry(descriptor.get));
    } else if (typeof descriptor.value === 'function') {
      put(prefix + capital(key), uncurry(descriptor.value));
    }
  }
};

for (const name of ['Reflect', 'Math', 'JSON']) copy_statics(globalThis[name], name);

const constructors = ['AggregateError', 'Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean',
  'DataView', 'Date', 'Error', 'EvalError', 'Float32Array', 'Float64Array', 'Function', 'Int16Array', 'Int32Array',
  'Int8Array', 'Map', 'Number', 'Object', 'Promise', 'Proxy', 'RangeError', 'ReferenceError', 'RegExp', 'Set', 'String',
  'Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array', 'Uint8ClampedArray',
  'WeakMap', 'WeakRef', 'WeakSet'];
for (const name of constructors) {
  const constructor = globalThis[name];
  put(name, constructor);
  copy_statics(constructor, name);
  if (constructor.prototype) {
    put(name + 'Prototype', constructor.prototype);
    copy_prototype(constructor.prototype, name + 'Prototype');
  }
}

const TypedArray = getPrototypeOf(Uint8Array);
put('TypedArray', TypedArray);
put('TypedArrayPrototype', TypedArray.prototype);
copy_prototype(TypedArray.prototype, 'TypedArrayPrototype');

const iterator_of = (iterable) => getPrototypeOf(iterable[Symbol.iterator]());
put('ArrayIteratorPrototypeNext', uncurry(iterator_of([]).next));
put('MapIteratorPrototypeNext', uncurry(iterator_of(new Map()).next));
put('SetIteratorPrototypeNext', uncurry(iterator_of(new Set()).next));
put('StringIteratorPrototypeNext', uncurry(iterator_of('').next));
put('IteratorPrototype', Iterator.prototype);

for (const name of ['parseInt', 'parseFloat', 'isNaN', 'isFinite', 'decodeURIComponent', 'encodeURIComponent', 'queueMicrotask']) {
  if (globalThis[name]) put(name, globalThis[name]);
}

// Symbol.iterator becomes SymbolIterator is made by copy_statics above. Promise's statics need their receiver, which bind gave.
Object.freeze(primordials);
