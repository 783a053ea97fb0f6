'use strict';
// Headers: a list of names and values, checked as HTTP wants them.

const {
  ArrayPrototypeSort, Map, MapPrototypeGet, MapPrototypeSet, RegExpPrototypeExec, StringPrototypeSlice,
  StringPrototypeToLowerCase, TypeError,
} = primordials;
const {
  define_global, define_pair_iteration, finish_interface, is_object, new_list, require_arguments, to_byte_string, to_pairs,
} = host.internal.webidl;
const { is_token, trim_http } = host.internal.http;

const bad_value = /[\0\r\n]/;

function to_name(value) {
  const name = to_byte_string(value, 'a header name');
  if (!is_token(name)) throw new TypeError(`Headers: '${StringPrototypeSlice(name, 0, 100)}' is not a header name`);
  return StringPrototypeToLowerCase(name);
}

function to_value(value) {
  const text = trim_http(to_byte_string(value, 'a header value'));
  if (RegExpPrototypeExec(bad_value, text) !== null) throw new TypeError('Headers: a header value holds a line break or NUL');
  return text;
}

let fill_headers;
let copy_headers;
let freeze_headers;
let header_of;
let add_received;
let pairs_of;

class Headers {
  #entries = new_list();  // in the order of their coming; names in lower case
  #sorted = undefined;    // what iteration shows, until the next change
  #is_immutable = false;

  constructor(init = undefined) { if (init !== undefined) this.#fill(init); }

  append(name, value) {
    require_arguments(arguments.length, 2, 'Headers.append');
    const entry = { __proto__: null, name: to_name(name), value: to_value(value) };
    this.#change();
    this.#entries[this.#entries.length] = entry;
  }

  delete(name) {
    require_arguments(arguments.length, 1, 'Headers.delete');
    const wanted = to_name(name);
    this.#change();
    this.#remove(wanted, 0);
  }

  get(name) {
    require_arguments(arguments.length, 1, 'Headers.get');
    return this.#combined(to_name(name));
  }

  getSetCookie() {
    const values = [];
    for (let i = 0; i < this.#entries.length; ++i) {
      if (this.#entries[i].name === 'set-cookie') values[values.length] = this.#entries[i].value;
    }
    return values;
  }

  has(name) {
    require_arguments(arguments.length, 1, 'Headers.has');
    return this.#find(to_name(name)) !== -1;
  }

  set(name, value) {
    require_arguments(arguments.length, 2, 'Headers.set');
    const entry = { __proto__: null, name: to_name(name), value: to_value(value) };
    this.#change();
    const at = this.#find(entry.name);
    if (at === -1) {
      this.#entries[this.#entries.length] = entry;
    } else {
      this.#entries[at] = entry;
      this.#remove(entry.name, at + 1);
    }
  }

  #change() {
    if (this.#is_immutable) throw new TypeError('Headers: these headers cannot be changed');
    this.#sorted = undefined;
  }

  #find(name) {
    for (let i = 0; i < this.#entries.length; ++i) if (this.#entries[i].name === name) return i;
    return -1;
  }

  #remove(name, from) {
    const kept = new_list();
    for (let i = 0; i < this.#entries.length; ++i) {
      if (i < from || this.#entries[i].name !== name) kept[kept.length] = this.#entries[i];
    }
    this.#entries = kept;
  }

  #combined(name) {
    let value = null;
    for (let i = 0; i < this.#entries.length; ++i) {
      if (this.#entries[i].name === name) value = value === null ? this.#entries[i].value : `${value}, ${this.#entries[i].value}`;
    }
    return value;
  }

  #fill(init) {
    if (!is_object(init)) throw new TypeError('Headers: the argument must be an object or a sequence of pairs');
    const pairs = #entries in init ? init.#entries
      : to_pairs(init, (text) => to_byte_string(text, 'a header'), 'Headers: the argument');
    for (let i = 0; i < pairs.length; ++i) {
      this.#entries[this.#entries.length] = { __proto__: null, name: to_name(pairs[i].name), value: to_value(pairs[i].value) };
    }
    this.#sorted = undefined;
  }

  // Names in order, values of one name joined; only cookies stay apart, since commas occur in them.
  #sort_and_combine() {
    const by_name = new Map();
    const result = new_list();
    for (let i = 0; i < this.#entries.length; ++i) {
      const { name, value } = this.#entries[i];
      const earlier = name === 'set-cookie' ? undefined : MapPrototypeGet(by_name, name);
      if (earlier !== undefined) {
        earlier.value = `${earlier.value}, ${value}`;
        continue;
      }
      const entry = { __proto__: null, name, value };
      MapPrototypeSet(by_name, name, entry);
      result[result.length] = entry;
    }
    return ArrayPrototypeSort(result, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  static {
    fill_headers = (headers, init) => headers.#fill(init);
    copy_headers = (target, source) => {
      for (let i = 0; i < source.#entries.length; ++i) target.#entries[i] = source.#entries[i];
      target.#sorted = undefined;
    };
    freeze_headers = (headers) => { headers.#is_immutable = true; };
    header_of = (headers, name) => headers.#combined(name);
    // What a server sent, as it is: no text of a server is the code's mistake.
    add_received = (headers, pairs) => {
      for (let i = 0; i < pairs.length; ++i) {
        const name = StringPrototypeToLowerCase(`${pairs[i][0]}`);
        headers.#entries[headers.#entries.length] = { __proto__: null, name, value: trim_http(`${pairs[i][1]}`) };
      }
      headers.#sorted = undefined;
    };
    pairs_of = (headers) => headers.#sorted ??= headers.#sort_and_combine();
    define_pair_iteration(this, 'Headers', pairs_of);
    finish_interface(this, 'Headers', { describe: (value) => (#entries in value ? pairs_of(value) : undefined) });
  }
}
define_global('Headers', Headers);

host.internal.headers = {
  __proto__: null, Headers, add_received, copy_headers, fill_headers, freeze_headers, header_of, pairs_of,
};
