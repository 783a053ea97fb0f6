'use strict';
// URL and URLSearchParams, on the parser in src/guest/web/url_ops.cc.

const {
  ArrayPrototypeSort, ReflectApply, StringPrototypeCharCodeAt, StringPrototypeSlice, TypeError, Uint32Array,
} = primordials;
const {
  define_global, define_pair_iteration, fields, finish_interface, is_object, new_list, require_arguments, to_pairs,
  to_usv_string,
} = host.internal.webidl;

// ---- URLSearchParams

let link_params;
let reset_params;
let is_params;

function copy_pairs(pairs) {
  const copy = new_list();
  for (let i = 0; i < pairs.length; ++i) copy[i] = { __proto__: null, name: pairs[i].name, value: pairs[i].value };
  return copy;
}

class URLSearchParams {
  #pairs = new_list();
  #url = null;

  constructor(init = '') {
    if (is_object(init) && #pairs in init) this.#pairs = copy_pairs(init.#pairs);
    else if (is_object(init)) this.#pairs = to_pairs(init, to_usv_string, 'URLSearchParams: init');
    else this.#parse(to_usv_string(init));
  }

  get size() { return this.#pairs.length; }

  append(name, value) {
    require_arguments(arguments.length, 2, 'URLSearchParams.append');
    const pair = { __proto__: null, name: to_usv_string(name), value: to_usv_string(value) };
    this.#pairs[this.#pairs.length] = pair;
    this.#update();
  }

  delete(name, value = undefined) {
    require_arguments(arguments.length, 1, 'URLSearchParams.delete');
    const wanted = to_usv_string(name);
    const wanted_value = value === undefined ? undefined : to_usv_string(value);
    this.#keep((pair) => pair.name !== wanted || (wanted_value !== undefined && pair.value !== wanted_value));
    this.#update();
  }

  get(name) {
    require_arguments(arguments.length, 1, 'URLSearchParams.get');
    const wanted = to_usv_string(name);
    for (let i = 0; i < this.#pairs.length; ++i) if (this.#pairs[i].name === wanted) return this.#pairs[i].value;
    return null;
  }

  getAll(name) {
    require_arguments(arguments.length, 1, 'URLSearchParams.getAll');
    const wanted = to_usv_string(name);
    const values = [];
    for (let i = 0; i < this.#pairs.length; ++i) {
      if (this.#pairs[i].name === wanted) values[values.length] = this.#pairs[i].value;
    }
    return values;
  }

  has(name, value = undefined) {
    require_arguments(arguments.length, 1, 'URLSearchParams.has');
    const wanted = to_usv_string(name);
    const wanted_value = value === undefined ? undefined : to_usv_string(value);
    for (let i = 0; i < this.#pairs.length; ++i) {
      const pair = this.#pairs[i];
      if (pair.name === wanted && (wanted_value === undefined || pair.value === wanted_value)) return true;
    }
    return false;
  }

  set(name, value) {
    require_arguments(arguments.length, 2, 'URLSearchParams.set');
    const pair = { __proto__: null, name: to_usv_string(name), value: to_usv_string(value) };
    let found = false;
    this.#keep((other) => {
      if (other.name !== pair.name) return true;
      if (found) return false;
      found = true;
      other.value = pair.value;
      return true;
    });
    if (!found) this.#pairs[this.#pairs.length] = pair;
    this.#update();
  }

  sort() {
    // Comparing strings compares their UTF-16 units, and the sort is stable: both as the standard wants.
    ArrayPrototypeSort(this.#pairs, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    this.#update();
  }

  toString() {
    const flat = new_list();
    for (let i = 0; i < this.#pairs.length; ++i) {
      flat[2 * i] = this.#pairs[i].name;
      flat[2 * i + 1] = this.#pairs[i].value;
    }
    return host.form_serialize(flat);
  }

  // One leading question mark is not part of the first name.
  #parse(text) {
    const flat = host.form_parse(text);
    const pairs = new_list();
    for (let i = 0; i < flat.length; i += 2) pairs[i / 2] = { __proto__: null, name: flat[i], value: flat[i + 1] };
    this.#pairs = pairs;
  }

  #keep(is_kept) {
    const kept = new_list();
    for (let i = 0; i < this.#pairs.length; ++i) if (is_kept(this.#pairs[i])) kept[kept.length] = this.#pairs[i];
    this.#pairs = kept;
  }

  #update() { if (this.#url !== null) mark_query_stale(this.#url); }

  static {
    is_params = (value) => is_object(value) && #pairs in value;
    // Makes `params` the query of `url`: every change of one is a change of the other.
    link_params = (params, url) => { params.#url = url; };
    reset_params = (params, search) => params.#parse(search);
    define_pair_iteration(this, 'URLSearchParams', (params) => params.#pairs);
    finish_interface(this, 'URLSearchParams', { describe: (value) => (#pairs in value ? value.#pairs : undefined) });
  }
}
define_global('URLSearchParams', URLSearchParams);
const { toString: serialize_params } = URLSearchParams.prototype;

// ---- URL

// The native parser leaves the offsets of the last URL here, in the order of ada's components.
const offsets = new Uint32Array(8);
const OMITTED = 0xffffffff;

// The parts that the native setters know, by their numbers.
const HREF = 0, PROTOCOL = 1, USERNAME = 2, PASSWORD = 3, HOST = 4, HOSTNAME = 5, PORT = 6, PATHNAME = 7, SEARCH = 8, HASH = 9;

const slice = StringPrototypeSlice;
const code_at = StringPrototypeCharCodeAt;
const AT_SIGN = 64;
const COLON = 58;

let mark_query_stale;
let read_url;
let may_construct_parsed = false;

class URL {
  // https://user:pass@example.com:1234/foo/bar?baz#quux
  //       |     |    |          | ^^^^|       |   |
  //       |     |    |          | |   |       |   hash_start
  //       |     |    |          | |   |       search_start
  //       |     |    |          | |   pathname_start
  //       |     |    |          | port
  //       |     |    |          host_end
  //       |     |    host_start
  //       |     username_end
  //       protocol_end
  #href;
  #protocol_end;
  #username_end;
  #host_start;
  #host_end;
  #port;
  #pathname_start;
  #search_start;
  #hash_start;
  #params = undefined;
  #query_is_stale = false;  // #params has changed since #href was written

  constructor(url, base = undefined) {
    if (may_construct_parsed) {
      this.#take(url);
      return;
    }
    require_arguments(arguments.length, 1, 'URL');
    const input = to_usv_string(url);
    const href = host.url_parse(input, base === undefined ? undefined : to_usv_string(base), offsets);
    if (href === undefined) throw invalid_url(input);
    this.#take(href);
  }

  static canParse(url, base = undefined) {
    require_arguments(arguments.length, 1, 'URL.canParse');
    return host.url_can_parse(to_usv_string(url), base === undefined ? undefined : to_usv_string(base));
  }

  static parse(url, base = undefined) {
    require_arguments(arguments.length, 1, 'URL.parse');
    const href = host.url_parse(to_usv_string(url), base === undefined ? undefined : to_usv_string(base), offsets);
    if (href === undefined) return null;
    may_construct_parsed = true;
    try {
      return new URL(href);
    } finally {
      may_construct_parsed = false;
    }
  }

  get href() { return this.#current_href(); }
  set href(value) {
    const input = to_usv_string(value);
    if (!this.#set(HREF, input)) throw invalid_url(input);
    this.#renew_params();
  }

  get origin() { return host.url_origin(this.#current_href()); }

  get protocol() { return slice(this.#href, 0, this.#protocol_end); }
  set protocol(value) { this.#set(PROTOCOL, to_usv_string(value)); }

  get username() {
    return this.#protocol_end + 2 < this.#username_end ? slice(this.#href, this.#protocol_end + 2, this.#username_end) : '';
  }
  set username(value) { this.#set(USERNAME, to_usv_string(value)); }

  get password() {
    return this.#host_start > this.#username_end ? slice(this.#href, this.#username_end + 1, this.#host_start) : '';
  }
  set password(value) { this.#set(PASSWORD, to_usv_string(value)); }

  get host() { return slice(this.#href, this.#hostname_start(), this.#pathname_start_after_port()); }
  set host(value) { this.#set(HOST, to_usv_string(value)); }

  get hostname() { return slice(this.#href, this.#hostname_start(), this.#host_end); }
  set hostname(value) { this.#set(HOSTNAME, to_usv_string(value)); }

  get port() { return this.#port === OMITTED ? '' : `${this.#port}`; }
  set port(value) { this.#set(PORT, to_usv_string(value)); }

  get pathname() {
    const href = this.#current_href();
    if (this.#search_start !== OMITTED) return slice(href, this.#pathname_start, this.#search_start);
    return slice(href, this.#pathname_start, this.#hash_start === OMITTED ? undefined : this.#hash_start);
  }
  set pathname(value) { this.#set(PATHNAME, to_usv_string(value)); }

  get search() {
    const href = this.#current_href();
    if (this.#search_start === OMITTED) return '';
    const text = slice(href, this.#search_start, this.#hash_start === OMITTED ? undefined : this.#hash_start);
    return text.length <= 1 ? '' : text;
  }
  set search(value) {
    this.#set(SEARCH, to_usv_string(value));
    this.#renew_params();
  }

  get hash() {
    const href = this.#current_href();
    if (this.#hash_start === OMITTED) return '';
    const text = slice(href, this.#hash_start);
    return text.length <= 1 ? '' : text;
  }
  set hash(value) { this.#set(HASH, to_usv_string(value)); }

  get searchParams() {
    if (this.#params === undefined) {
      this.#params = new URLSearchParams(this.search);
      link_params(this.#params, this);
    }
    return this.#params;
  }

  toString() { return this.#current_href(); }
  toJSON() { return this.#current_href(); }

  #take(href) {
    this.#href = href;
    this.#protocol_end = offsets[0];
    this.#username_end = offsets[1];
    this.#host_start = offsets[2];
    this.#host_end = offsets[3];
    this.#port = offsets[4];
    this.#pathname_start = offsets[5];
    this.#search_start = offsets[6];
    this.#hash_start = offsets[7];
  }

  // Changes of searchParams are written when the URL is next read, so that a loop of them takes linear time.
  #current_href() {
    if (this.#query_is_stale) {
      this.#query_is_stale = false;
      this.#set(SEARCH, ReflectApply(serialize_params, this.#params, []));
    }
    return this.#href;
  }

  #set(part, value) {
    const href = host.url_set(this.#current_href(), part, value, offsets);
    if (href === undefined) return false;
    this.#take(href);
    return true;
  }

  #renew_params() { if (this.#params !== undefined) reset_params(this.#params, this.search); }

  // With credentials, the host starts at the at sign.
  #hostname_start() {
    return code_at(this.#href, this.#host_start) === AT_SIGN ? this.#host_start + 1 : this.#host_start;
  }

  // The path starts after the port, or after "/." where the host is empty and the path begins with two slashes.
  #pathname_start_after_port() {
    return code_at(this.#href, this.#host_end) === COLON && this.#port !== OMITTED ? this.#pathname_start : this.#host_end;
  }

  static {
    mark_query_stale = (url) => { url.#query_is_stale = true; };
    // For the other files of the prelude, whatever the guest did to URL: the text as a URL, or null.
    read_url = (text) => {
      const href = host.url_parse(text, undefined, offsets);
      if (href === undefined) return null;
      return { __proto__: null, href, has_credentials: offsets[1] > offsets[0] + 2 || offsets[2] > offsets[1] };
    };
    finish_interface(this, 'URL', {
      static_members: ['canParse', 'parse'],
      describe: (value) => (#href in value ? fields('href', value.#current_href()) : undefined),
    });
  }
}
define_global('URL', URL);

function invalid_url(input) {
  return new TypeError(`Invalid URL: '${input.length > 200 ? `${slice(input, 0, 200)}...` : input}'`);
}

host.internal.URL = URL;
host.internal.url = { __proto__: null, invalid_url, is_params, read_url, serialize_params };
