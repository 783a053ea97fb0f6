'use strict';
// console: format strings, tables, groups, counters and timers, each written as one log line that is cut at its limit.

const {
  Error, JSONStringify, Map, MapIteratorPrototypeNext, MapPrototypeDelete, MapPrototypeEntries, MapPrototypeGet,
  MapPrototypeGetSize, MapPrototypeSet, MathMax, MathMin, Number, NumberParseFloat, NumberParseInt,
  ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectHasOwn, ReflectApply, ReflectOwnKeys,
  SetIteratorPrototypeNext, SetPrototypeGetSize, SetPrototypeValues, StringPrototypeIndexOf, StringPrototypeRepeat,
  StringPrototypeSlice, SymbolToStringTag,
} = primordials;

const { inspect } = host.internal;
const { cut, indent, list, show_bigint, show_number, stack_of, MAX_ITEMS, MAX_LINE_BYTES, MAX_TEXT } = host.internal.inspection;

// ---- Format strings

function number_of(value, parse) {
  if (typeof value === 'bigint') return show_bigint(value);
  if (typeof value === 'symbol' || (typeof value === 'object' && value !== null) || typeof value === 'function') return 'NaN';
  return show_number(parse(value));
}

function json_of(value) {
  try {
    return `${JSONStringify(value)}`;
  } catch {
    return '[not JSON]';
  }
}

function substitute(directive, value) {
  switch (directive) {
    case 's': return typeof value === 'string' ? value : inspect(value, 0);
    case 'd': return number_of(value, Number);
    case 'i': return number_of(value, NumberParseInt);
    case 'f': return number_of(value, NumberParseFloat);
    case 'j': return json_of(value);
    case 'o':
    case 'O': return inspect(value);
    case 'c': return '';
    default: return undefined;
  }
}

const show_argument = (value) => (typeof value === 'string' ? value : inspect(value));

function format(args) {
  let next = 0;
  let text = '';
  if (args.length > 1 && typeof args[0] === 'string') {
    const template = args[0];
    next = 1;
    let from = 0;
    for (let at = StringPrototypeIndexOf(template, '%'); at !== -1; at = StringPrototypeIndexOf(template, '%', at + 2)) {
      const directive = template[at + 1];
      let replacement = directive === '%' ? '%' : undefined;
      if (directive !== '%' && next < args.length) {
        replacement = substitute(directive, args[next]);
        if (replacement !== undefined) ++next;
      }
      if (replacement === undefined) continue;
      text += StringPrototypeSlice(template, from, at) + replacement;
      from = at + 2;
    }
    text += StringPrototypeSlice(template, from);
    if (next < args.length) text += ' ';
  }
  for (let i = next; i < args.length && text.length <= MAX_TEXT; ++i) {
    text += (i === next ? '' : ' ') + show_argument(args[i]);
  }
  return text;
}

// ---- Writing

let indentation = '';

const cut_notice = (left) => `... [${left} more characters]`;

function fit_line(text) {
  // A unit of UTF-16 takes at most three bytes, so short lines need no count.
  if (text.length * 3 <= MAX_LINE_BYTES) return text;
  const units = host.utf8_prefix(text, MAX_LINE_BYTES);
  if (units === text.length) return text;
  const shorter = host.utf8_prefix(text, MAX_LINE_BYTES - 64);
  return StringPrototypeSlice(text, 0, shorter) + cut_notice(text.length - shorter);
}

function write(level, text) {
  if (indentation !== '') text = indentation + indent(text, indentation);
  host.send_log(level, fit_line(text));
}

// ---- Tables

function cells_of(row) {
  if (row === null || typeof row !== 'object' || host.is_proxy(row)) return undefined;
  const kind = host.class_of(row);
  const keys = ReflectOwnKeys(row);
  const cells = list();
  for (let i = 0; i < keys.length && cells.length < MAX_ITEMS; ++i) {
    const descriptor = ObjectGetOwnPropertyDescriptor(row, keys[i]);
    if (typeof keys[i] === 'symbol' || !descriptor?.enumerable) continue;
    const text = ObjectHasOwn(descriptor, 'value') ? inspect(descriptor.value, 0) : '[Getter]';
    cells[cells.length] = { __proto__: null, column: keys[i], text: cut(text, 200) };
  }
  return kind === 'Object' || kind === 'Array' || cells.length > 0 ? cells : undefined;
}

// The rows of a table: each with its index and its value.
function rows_of(data) {
  const rows = list();
  const kind = host.class_of(data);
  const add = (index, value) => { rows[rows.length] = { __proto__: null, index, value }; };
  if (kind === 'Map') {
    const iterator = MapPrototypeEntries(data);
    const size = MathMin(MapPrototypeGetSize(data), MAX_ITEMS);
    for (let i = 0; i < size; ++i) add(`${i}`, MapIteratorPrototypeNext(iterator).value);
  } else if (kind === 'Set') {
    const iterator = SetPrototypeValues(data);
    const size = MathMin(SetPrototypeGetSize(data), MAX_ITEMS);
    for (let i = 0; i < size; ++i) add(`${i}`, SetIteratorPrototypeNext(iterator).value);
  } else {
    const keys = ReflectOwnKeys(data);
    for (let i = 0; i < keys.length && rows.length < MAX_ITEMS; ++i) {
      const descriptor = ObjectGetOwnPropertyDescriptor(data, keys[i]);
      if (typeof keys[i] === 'symbol' || !descriptor?.enumerable) continue;
      add(keys[i], ObjectHasOwn(descriptor, 'value') ? descriptor.value : undefined);
    }
  }
  return rows;
}

function draw_table(header, body) {
  const widths = list();
  for (let c = 0; c < header.length; ++c) {
    widths[c] = header[c].length;
    for (let r = 0; r < body.length; ++r) widths[c] = MathMax(widths[c], (body[r][c] ?? '').length);
  }
  const rule = (left, middle, right) => {
    let text = left;
    for (let c = 0; c < widths.length; ++c) text += (c ? middle : '') + StringPrototypeRepeat('\u2500', widths[c] + 2);
    return text + right;
  };
  const line = (cells) => {
    let text = '\u2502';
    for (let c = 0; c < widths.length; ++c) {
      const cell = cells[c] ?? '';
      text += ` ${cell}${StringPrototypeRepeat(' ', widths[c] - cell.length)} \u2502`;
    }
    return text;
  };
  let text = `${rule('\u250c', '\u252c', '\u2510')}\n${line(header)}\n${rule('\u251c', '\u253c', '\u2524')}`;
  for (let r = 0; r < body.length; ++r) text += `\n${line(body[r])}`;
  return `${text}\n${rule('\u2514', '\u2534', '\u2518')}`;
}

function table_text(data, columns) {
  const rows = rows_of(data);
  const header = list();
  const positions = new Map();
  const column_at = (name) => {
    let position = MapPrototypeGet(positions, name);
    if (position === undefined) {
      position = header.length;
      header[position] = cut(name, 200);
      MapPrototypeSet(positions, name, position);
    }
    return position;
  };
  column_at('(index)');
  const chosen = columns === undefined ? undefined : new Map();
  if (chosen) for (let i = 0; i < columns.length && i < MAX_ITEMS; ++i) {
    column_at(`${columns[i]}`);
    MapPrototypeSet(chosen, `${columns[i]}`, true);
  }
  const body = list();
  const values = list();
  for (let r = 0; r < rows.length; ++r) {
    const line = list();
    line[0] = cut(rows[r].index, 200);
    const cells = cells_of(rows[r].value);
    if (cells === undefined) values[r] = cut(inspect(rows[r].value, 0), 200);
    else for (let i = 0; i < cells.length; ++i) {
      const { column, text } = cells[i];
      if (header.length <= MAX_ITEMS && (!chosen || MapPrototypeGet(chosen, column))) line[column_at(column)] = text;
    }
    body[r] = line;
  }
  if (values.length > 0) {
    const position = header.length;
    header[position] = 'Values';
    for (let r = 0; r < values.length; ++r) if (values[r] !== undefined) body[r][position] = values[r];
  }
  return draw_table(header, body);
}

// ---- The methods

const counts = new Map();
const timers = new Map();
const label_of = (label) => (label === undefined ? 'default' : cut(typeof label === 'string' ? label : inspect(label, 0), 200));

function elapsed_text(label) {
  const milliseconds = host.now() - MapPrototypeGet(timers, label);
  return `${label}: ${milliseconds < 1000 ? `${milliseconds}ms` : `${milliseconds / 1000}s`}`;
}

function log_elapsed(name, label, rest) {
  if (MapPrototypeGet(timers, label) === undefined) {
    return write('warn', `Warning: No such label '${label}' for console.${name}()`);
  }
  write('log', elapsed_text(label) + (rest.length > 0 ? ` ${format(rest)}` : ''));
}

const methods = {
  __proto__: null,
  log(...args) { write('log', format(args)); },
  info(...args) { write('info', format(args)); },
  warn(...args) { write('warn', format(args)); },
  error(...args) { write('error', format(args)); },
  debug(...args) { write('debug', format(args)); },
  dir(value) { write('log', inspect(value)); },
  dirxml(...args) { write('log', format(args)); },
  trace(...args) {
    const stack = stack_of(new Error());
    const from = typeof stack === 'string' ? StringPrototypeIndexOf(stack, '\n') : -1;
    const message = format(args);
    write('log', `Trace${message && `: ${message}`}${from === -1 ? '' : StringPrototypeSlice(stack, from)}`);
  },
  assert(condition, ...args) {
    if (condition) return;
    const is_template = typeof args[0] === 'string';
    const message = is_template ? ': ' : args.length > 0 ? ' ' : '';
    write('error', `Assertion failed${message}${format(args)}`);
  },
  table(data, columns) {
    if (data === null || typeof data !== 'object' || host.is_proxy(data)) return write('log', show_argument(data));
    write('log', table_text(data, columns));
  },
  count(label) {
    const name = label_of(label);
    const count = (MapPrototypeGet(counts, name) ?? 0) + 1;
    MapPrototypeSet(counts, name, count);
    write('log', `${name}: ${count}`);
  },
  countReset(label) {
    const name = label_of(label);
    if (!MapPrototypeDelete(counts, name)) write('warn', `Warning: Count for '${name}' does not exist`);
  },
  group(...args) {
    if (args.length > 0) write('log', format(args));
    if (indentation.length < 40) indentation += '  ';
  },
  groupCollapsed(...args) { ReflectApply(methods.group, undefined, args); },
  groupEnd() { indentation = StringPrototypeSlice(indentation, 2); },
  time(label) {
    const name = label_of(label);
    if (MapPrototypeGet(timers, name) !== undefined) {
      return write('warn', `Warning: Label '${name}' already exists for console.time()`);
    }
    MapPrototypeSet(timers, name, host.now());
  },
  timeLog(label, ...rest) { log_elapsed('timeLog', label_of(label), rest); },
  timeEnd(label) {
    log_elapsed('timeEnd', label_of(label), []);
    MapPrototypeDelete(timers, label_of(label));
  },
  clear() {},
};

// Logging must not change what a program does, so nothing that goes wrong in it comes out.
function guarded(name, method) {
  const { [name]: wrapped } = {
    [name](...args) {
      try {
        ReflectApply(method, undefined, args);
      } catch {
        try {
          host.send_log('warn', `[console.${name} could not show its arguments]`);
        } catch {
          // Nothing is left to be done.
        }
      }
    },
  };
  return wrapped;
}

const console = {};
const names = ReflectOwnKeys(methods);
for (let i = 0; i < names.length; ++i) console[names[i]] = guarded(names[i], methods[names[i]]);
ObjectDefineProperty(console, SymbolToStringTag, { __proto__: null, value: 'console', configurable: true });
ObjectDefineProperty(globalThis, 'console', { __proto__: null, value: console, writable: true, configurable: true });
