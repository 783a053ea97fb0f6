'use strict';
// The inspector that turns any value into readable text, for console. It runs none of the value's own code: getters stay
// closed, proxies are not asked, and what it writes is bounded whatever it is given.

const {
  ArrayBufferPrototypeGetByteLength, ArrayPrototypeJoin, BigIntPrototypeToString, BigIntPrototypeValueOf,
  BooleanPrototypeValueOf, DataViewPrototypeGetByteLength, DatePrototypeGetTime, DatePrototypeToISOString, Error,
  FunctionPrototypeToString, MapIteratorPrototypeNext, MapPrototypeEntries, MapPrototypeGetSize, MathMax, MathMin,
  Number, NumberPrototypeValueOf, ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, ObjectHasOwn, ObjectIs,
  ObjectSetPrototypeOf, ReflectOwnKeys, RegExpPrototypeExec, RegExpPrototypeGetDotAll, RegExpPrototypeGetGlobal,
  RegExpPrototypeGetHasIndices, RegExpPrototypeGetIgnoreCase, RegExpPrototypeGetMultiline, RegExpPrototypeGetSource,
  RegExpPrototypeGetSticky, RegExpPrototypeGetUnicode, RegExpPrototypeGetUnicodeSets, SetIteratorPrototypeNext,
  SetPrototypeGetSize, SetPrototypeValues, StringPrototypeCharCodeAt, StringPrototypeIncludes, StringPrototypeIndexOf,
  StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToWellFormed, StringPrototypeValueOf,
  SymbolPrototypeToString, SymbolPrototypeValueOf, SymbolToStringTag, TypedArrayPrototypeGetLength,
  TypedArrayPrototypeGetSymbolToStringTag, WeakRefPrototypeDeref,
} = primordials;

const MAX_DEPTH = 4;
const MAX_ITEMS = 100;
const MAX_STRING = 10000;
const MAX_LINE_BYTES = 64 * 1024;
// Beyond this many characters the text is cut anyway, so the walk stops.
const MAX_TEXT = MAX_LINE_BYTES + 1024;
const LINE_WIDTH = 80;

const list = () => ObjectSetPrototypeOf([], null);
const join = (items, separator) => ArrayPrototypeJoin(items, separator);
const cut = (text, length) =>
  text.length <= length ? text
    : `${StringPrototypeToWellFormed(StringPrototypeSlice(text, 0, length))}... ${text.length - length} more characters`;

// ---- Properties, without asking getters

function own_data_value(object, key) {
  const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && ObjectHasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

// The value of the first property of that name on the chain of prototypes, if it is plain data.
function data_value(object, key) {
  for (let i = 0; i < 100 && object !== null && !host.is_proxy(object); ++i) {
    if (ObjectHasOwn(object, key)) return own_data_value(object, key);
    object = ObjectGetPrototypeOf(object);
  }
  return undefined;
}

function constructor_name(object) {
  let holder = object;
  for (let i = 0; i < 100 && holder !== null; ++i) {
    if (host.is_proxy(holder)) return '';
    const constructor = own_data_value(holder, 'constructor');
    if (typeof constructor === 'function' && !host.is_proxy(constructor)) {
      const name = own_data_value(constructor, 'name');
      if (typeof name === 'string' && name !== '') return cut(name, 200);
    }
    holder = ObjectGetPrototypeOf(holder);
  }
  return null;
}

// ---- Primitives

const hex = (code) => '0123456789ABCDEF'[code >> 4] + '0123456789ABCDEF'[code & 15];

function escape_character(code, quote) {
  if (code === 10) return '\\n';
  if (code === 9) return '\\t';
  if (code === 13) return '\\r';
  if (code === 8) return '\\b';
  if (code === 12) return '\\f';
  if (code === 11) return '\\v';
  if (code === 92) return '\\\\';
  if (code === quote) return quote === 39 ? "\\'" : undefined;
  if (code < 32 || (code >= 127 && code <= 159)) return `\\x${hex(code)}`;
  return undefined;
}

function quote(text) {
  const shown = cut(text, MAX_STRING);
  let mark = "'";
  if (StringPrototypeIncludes(shown, "'")) {
    if (!StringPrototypeIncludes(shown, '"')) mark = '"';
    else if (!StringPrototypeIncludes(shown, '`') && !StringPrototypeIncludes(shown, '${')) mark = '`';
  }
  const mark_code = StringPrototypeCharCodeAt(mark, 0);
  let result = mark;
  let from = 0;
  for (let i = 0; i < shown.length; ++i) {
    const replacement = escape_character(StringPrototypeCharCodeAt(shown, i), mark_code);
    if (replacement === undefined) continue;
    result += StringPrototypeSlice(shown, from, i) + replacement;
    from = i + 1;
  }
  return result + StringPrototypeSlice(shown, from) + mark;
}

const show_number = (value) => (ObjectIs(value, -0) ? '-0' : `${value}`);

function show_bigint(value) {
  // Beyond this the decimal digits take seconds to compute and are of no use.
  if (value > 2n ** 30000n || value < -(2n ** 30000n)) return '[BigInt of more than 30000 bits]';
  return `${BigIntPrototypeToString(value)}n`;
}

function show_primitive(value) {
  switch (typeof value) {
    case 'string': return quote(value);
    case 'number': return show_number(value);
    case 'bigint': return show_bigint(value);
    case 'symbol': return cut(SymbolPrototypeToString(value), 1000);
    default: return `${value}`;  // undefined, null, booleans
  }
}

const identifier = /^[A-Za-z_$][A-Za-z_$0-9]*$/;

function show_key(key) {
  if (typeof key === 'symbol') return `[${cut(SymbolPrototypeToString(key), 200)}]`;
  return key.length < 200 && RegExpPrototypeExec(identifier, key) !== null ? key : quote(key);
}

// ---- Objects

function show_function(value) {
  const name = own_data_value(value, 'name');
  const suffix = typeof name === 'string' && name !== '' ? `: ${cut(name, 200)}` : ' (anonymous)';
  // Only the text of a function distinguishes a class from a built-in constructor.
  const is_class = StringPrototypeStartsWith(FunctionPrototypeToString(value), 'class');
  if (is_class) return typeof name === 'string' && name !== '' ? `[class ${cut(name, 200)}]` : '[class (anonymous)]';
  return `[${constructor_name(value) || 'Function'}${suffix}]`;
}

const stack_getter = ObjectGetOwnPropertyDescriptor(new Error(), 'stack')?.get;

function stack_of(error) {
  const descriptor = ObjectGetOwnPropertyDescriptor(error, 'stack');
  if (descriptor === undefined) return undefined;
  if (ObjectHasOwn(descriptor, 'value')) return descriptor.value;
  // V8 keeps the stack behind a getter of its own; any other getter is the guest's.
  return descriptor.get === stack_getter ? error.stack : undefined;
}

// Whether reading the property would run a getter of the guest's.
function has_foreign_getter(object, key) {
  for (let i = 0; i < 100 && object !== null; ++i) {
    if (host.is_proxy(object)) return true;
    const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
    if (descriptor !== undefined) return !ObjectHasOwn(descriptor, 'value') && object !== host.internal.DOMException?.prototype;
    object = ObjectGetPrototypeOf(object);
  }
  return false;
}

function show_error_head(error) {
  // V8 writes the stack when it is first asked for, and reads the name and the message for its first line.
  const stack = has_foreign_getter(error, 'name') || has_foreign_getter(error, 'message') ? undefined : stack_of(error);
  if (typeof stack === 'string' && stack !== '') return cut(stack, MAX_STRING);
  const name = data_value(error, 'name');
  const message = data_value(error, 'message');
  const shown_name = typeof name === 'string' ? cut(name, 200) : 'Error';
  return typeof message === 'string' && message !== '' ? `[${shown_name}: ${cut(message, MAX_STRING)}]` : `[${shown_name}]`;
}

function show_regexp(value) {
  let flags = '';
  if (RegExpPrototypeGetHasIndices(value)) flags += 'd';
  if (RegExpPrototypeGetGlobal(value)) flags += 'g';
  if (RegExpPrototypeGetIgnoreCase(value)) flags += 'i';
  if (RegExpPrototypeGetMultiline(value)) flags += 'm';
  if (RegExpPrototypeGetDotAll(value)) flags += 's';
  if (RegExpPrototypeGetUnicode(value)) flags += 'u';
  if (RegExpPrototypeGetUnicodeSets(value)) flags += 'v';
  if (RegExpPrototypeGetSticky(value)) flags += 'y';
  return `/${cut(RegExpPrototypeGetSource(value), 1000)}/${flags}`;
}

function show_date(value) {
  const time = DatePrototypeGetTime(value);
  return time !== time ? 'Invalid Date' : DatePrototypeToISOString(value);
}

const more = (count) => `... ${count} more item${count === 1 ? '' : 's'}`;

// One walk over one value: how deep it is, what stands above it, how much has been written.
class Inspection {
  #max_depth;
  #ancestors = list();
  #written = 0;

  constructor(max_depth) { this.#max_depth = max_depth; }

  show(value, depth) {
    if (typeof value === 'function' || (typeof value === 'object' && value !== null)) return this.#show_object(value, depth);
    const text = show_primitive(value);
    this.#written += text.length;
    return text;
  }

  get #is_full() { return this.#written > MAX_TEXT; }

  #show_object(value, depth) {
    const kind = host.class_of(value);
    if (kind === 'Proxy') return host.internal.show_namespace?.(value) ?? '[Proxy]';
    for (let i = 0; i < this.#ancestors.length; ++i) if (this.#ancestors[i] === value) return '[Circular]';

    const parts = this.#parts_of(value, kind);
    if (depth > this.#max_depth && parts.open !== '') return `[${parts.head || constructor_name(value) || 'Object'}]`;
    this.#written += parts.head.length + 2;

    const depth_before = this.#ancestors.length;
    this.#ancestors[depth_before] = value;
    const entries = list();
    try {
      parts.fill?.(entries, depth);
      this.#fill_properties(entries, value, kind, depth);
    } finally {
      this.#ancestors.length = depth_before;
    }
    if (entries.length === 0) {
      if (parts.open === '') return parts.head;
      return `${parts.head && `${parts.head} `}${parts.open}${parts.close}`;
    }
    const open = parts.open || '{';
    const close = parts.close || '}';
    return lay_out(parts.head, open, entries, close, depth);
  }

  // The head that names the object, its brackets, and what fills them before its properties do. Objects without brackets
  // are shown by their head alone.
  #parts_of(value, kind) {
    const tagged = (fallback) => head_of(value, fallback);
    switch (kind) {
      case 'Function': return bare(show_function(value));
      case 'Error': return bare(show_error_head(value));
      case 'Date': return bare(show_date(value));
      case 'RegExp': return bare(show_regexp(value));
      case 'Number': return bare(`[Number: ${show_number(NumberPrototypeValueOf(value))}]`);
      case 'String': return bare(`[String: ${quote(StringPrototypeValueOf(value))}]`);
      case 'Boolean': return bare(`[Boolean: ${BooleanPrototypeValueOf(value)}]`);
      case 'BigInt': return bare(`[BigInt: ${show_bigint(BigIntPrototypeValueOf(value))}]`);
      case 'Symbol': return bare(`[Symbol: ${SymbolPrototypeToString(SymbolPrototypeValueOf(value))}]`);
      case 'WeakMap':
      case 'WeakSet':
        return braces(tagged(kind), (entries) => { entries[0] = '<items unknown>'; });
      case 'WeakRef':
        return braces(tagged(kind), (entries, depth) => { entries[0] = this.show(WeakRefPrototypeDeref(value), depth + 1); });
      case 'Array': {
        const name = head_of(value, 'Array');
        const head = name === 'Array' ? '' : `${name}(${value.length})`;
        return brackets(head, (entries, depth) => this.#fill_array(entries, value, depth));
      }
      case 'Arguments': return brackets('[Arguments]', (entries, depth) => this.#fill_array(entries, value, depth));
      case 'TypedArray': {
        const length = TypedArrayPrototypeGetLength(value);
        const head = `${tagged(TypedArrayPrototypeGetSymbolToStringTag(value))}(${length})`;
        return brackets(head, (entries) => this.#fill_indices(entries, value, length));
      }
      case 'Map':
        return braces(`${tagged('Map')}(${MapPrototypeGetSize(value)})`,
          (entries, depth) => this.#fill_map(entries, value, depth));
      case 'Set':
        return braces(`${tagged('Set')}(${SetPrototypeGetSize(value)})`,
          (entries, depth) => this.#fill_set(entries, value, depth));
      case 'Promise': return braces(tagged('Promise'), (entries, depth) => this.#fill_promise(entries, value, depth));
      case 'ArrayBuffer':
        return braces(tagged('ArrayBuffer'), (entries) => {
          entries[0] = `byteLength: ${ArrayBufferPrototypeGetByteLength(value)}`;
        });
      case 'DataView':
        return braces(tagged('DataView'), (entries) => { entries[0] = `byteLength: ${data_view_length(value)}`; });
      case 'Generator': return braces('Object [Generator]');
      case 'Map Iterator':
      case 'Set Iterator':
      case 'Module':
        return braces(`[${kind}]`);
      default: {
        const fields = describe_platform_object(value);
        const head = head_of(value, 'Object');
        if (fields !== undefined) return braces(head, (entries, depth) => this.#fill_fields(entries, fields, depth));
        return braces(head === 'Object' ? '' : head);
      }
    }
  }

  #fill_array(entries, array, depth) {
    const length = Number(own_data_value(array, 'length')) || 0;
    // Holes are skipped one by one, so a sparse array of any length costs no more than this many checks.
    const last_look = MathMin(length, 10 * MAX_ITEMS);
    let holes = 0;
    let i = 0;
    const flush = () => {
      if (holes > 0) entries[entries.length] = `<${holes} empty item${holes === 1 ? '' : 's'}>`;
      holes = 0;
    };
    for (; i < last_look && entries.length < MAX_ITEMS && !this.#is_full; ++i) {
      const descriptor = ObjectGetOwnPropertyDescriptor(array, i);
      if (descriptor === undefined) {
        ++holes;
        continue;
      }
      flush();
      entries[entries.length] = this.#show_property(descriptor, depth);
    }
    flush();
    if (i < length) entries[entries.length] = more(length - i);
  }

  #fill_indices(entries, typed_array, length) {
    const shown = MathMin(length, MAX_ITEMS);
    for (let i = 0; i < shown; ++i) entries[i] = this.show(typed_array[i], 0);
    if (length > shown) entries[shown] = more(length - shown);
  }

  #fill_map(entries, map, depth) {
    const size = MapPrototypeGetSize(map);
    const iterator = MapPrototypeEntries(map);
    let i = 0;
    for (; i < size && i < MAX_ITEMS && !this.#is_full; ++i) {
      const { value } = MapIteratorPrototypeNext(iterator);
      entries[i] = `${this.show(value[0], depth + 1)} => ${this.show(value[1], depth + 1)}`;
    }
    if (i < size) entries[i] = more(size - i);
  }

  #fill_set(entries, set, depth) {
    const size = SetPrototypeGetSize(set);
    const iterator = SetPrototypeValues(set);
    let i = 0;
    for (; i < size && i < MAX_ITEMS && !this.#is_full; ++i) {
      entries[i] = this.show(SetIteratorPrototypeNext(iterator).value, depth + 1);
    }
    if (i < size) entries[i] = more(size - i);
  }

  #fill_promise(entries, promise, depth) {
    const result = host.promise_result(promise);
    if (result === undefined) entries[0] = '<pending>';
    else entries[0] = `${result[0] === 'rejected' ? '<rejected> ' : ''}${this.show(result[1], depth + 1)}`;
  }

  #fill_fields(entries, fields, depth) {
    const shown = MathMin(fields.length, MAX_ITEMS);
    for (let i = 0; i < shown && !this.#is_full; ++i) {
      entries[i] = `${show_key(fields[i].name)}: ${this.show(fields[i].value, depth + 1)}`;
    }
    if (fields.length > shown) entries[entries.length] = more(fields.length - shown);
  }

  #fill_properties(entries, object, kind, depth) {
    const has_items = kind === 'Array' || kind === 'TypedArray' || kind === 'Arguments' || kind === 'String';
    const keys = has_items ? host.named_keys(object) : ReflectOwnKeys(object);
    let shown = 0;
    for (let i = 0; i < keys.length; ++i) {
      const key = keys[i];
      const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
      if (descriptor === undefined || !is_shown(descriptor, key, kind)) continue;
      if (shown === MAX_ITEMS || this.#is_full) {
        entries[entries.length] = more(keys.length - i);
        return;
      }
      ++shown;
      const name = descriptor.enumerable ? show_key(key) : `[${show_key(key)}]`;
      this.#written += name.length + 4;
      entries[entries.length] = `${name}: ${this.#show_property(descriptor, depth)}`;
    }
  }

  #show_property(descriptor, depth) {
    if (ObjectHasOwn(descriptor, 'value')) return this.show(descriptor.value, depth + 1);
    if (descriptor.get === undefined) return '[Setter]';
    return descriptor.set === undefined ? '[Getter]' : '[Getter/Setter]';
  }
}

// Errors hide what matters most about them behind properties that are not enumerable.
function is_shown(descriptor, key, kind) {
  // These stand in the stack already.
  if (kind === 'Error' && (key === 'stack' || key === 'name' || key === 'message')) return false;
  if (descriptor.enumerable) return true;
  return kind === 'Error' && (key === 'cause' || key === 'errors');
}

function data_view_length(view) {
  try {
    return DataViewPrototypeGetByteLength(view);
  } catch {
    return 0;  // its buffer is detached or has shrunk
  }
}

const bare = (head) => ({ __proto__: null, head, open: '', close: '', fill: undefined });
const braces = (head, fill) => ({ __proto__: null, head, open: '{', close: '}', fill });
const brackets = (head, fill) => ({ __proto__: null, head, open: '[', close: ']', fill });

function head_of(value, fallback) {
  const name = constructor_name(value);
  const tag = data_value(value, SymbolToStringTag);
  let head = name === null ? `[${fallback}: null prototype]` : name === '' ? fallback : name;
  if (typeof tag === 'string' && tag !== '' && tag !== name && tag !== fallback) head += ` [${cut(tag, 200)}]`;
  return head;
}

// The classes of the web keep their state in private fields. They describe themselves; see 28_webidl.js.
function describe_platform_object(value) {
  const classes = host.internal.platform_classes;
  for (let i = 0; i < (classes?.length ?? 0); ++i) {
    const fields = classes[i].describe?.(value);
    if (fields !== undefined) return fields;
  }
  return undefined;
}

// On one line where the entries are short and few, else one entry a line; many short items share lines.
function lay_out(head, open, entries, close, depth) {
  const prefix = head === '' ? '' : `${head} `;
  let total = entries.length + prefix.length;
  let longest = 0;
  let has_break = StringPrototypeIncludes(head, '\n');
  for (let i = 0; i < entries.length; ++i) {
    total += entries[i].length + 1;
    longest = MathMax(longest, entries[i].length);
    has_break ||= StringPrototypeIncludes(entries[i], '\n');
  }
  if (!has_break && total + 2 * depth <= LINE_WIDTH - 8) return `${prefix}${open} ${join(entries, ', ')} ${close}`;
  const rows = open === '[' && entries.length > 6 && longest <= 24 && !has_break ? pack(entries) : entries;
  // Every level indents the lines of the levels below it once more.
  const body = indent(join(rows, ',\n'), '  ');
  return `${prefix}${open}\n  ${body}\n${close}`;
}

// Puts `margin` before every line but the first.
function indent(text, margin) {
  let result = '';
  let from = 0;
  for (let at = StringPrototypeIndexOf(text, '\n'); at !== -1; at = StringPrototypeIndexOf(text, '\n', from)) {
    result += StringPrototypeSlice(text, from, at + 1) + margin;
    from = at + 1;
  }
  return from === 0 ? text : result + StringPrototypeSlice(text, from);
}

function pack(entries) {
  const rows = list();
  let row = '';
  for (let i = 0; i < entries.length; ++i) {
    if (row !== '' && row.length + entries[i].length > LINE_WIDTH - 10) {
      rows[rows.length] = row;
      row = '';
    }
    row += (row === '' ? '' : ', ') + entries[i];
  }
  rows[rows.length] = row;
  return rows;
}

const inspect = (value, max_depth = MAX_DEPTH) => new Inspection(max_depth).show(value, 0);

host.internal.inspect = inspect;
host.internal.inspection = {
  __proto__: null, cut, indent, list, show_bigint, show_number, stack_of, MAX_ITEMS, MAX_LINE_BYTES, MAX_TEXT,
};
