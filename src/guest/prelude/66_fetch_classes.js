'use strict';
// Request and Response of the Fetch standard. `formData` is absent.

const {
  JSONStringify, Number, RangeError, ReflectApply, RegExpPrototypeExec, StringPrototypeSlice, StringPrototypeToUpperCase,
  TypeError,
} = primordials;
const {
  define_global, fields, finish_interface, is_object, new_list, require_arguments, to_byte_string, to_dictionary, to_usv_string,
} = host.internal.webidl;
const { Headers, add_received, copy_headers, fill_headers, freeze_headers, header_of, pairs_of } = host.internal.headers;
const { encode_utf8 } = host.internal.text;
const {
  body_of_bytes, clone_body, define_body, extract_body, is_null, is_used, move_body, no_body,
} = host.internal.body;
const { invalid_url, read_url } = host.internal.url;
const { dependent_signal, is_signal } = host.internal.abort;
const { is_token } = host.internal.http;

// Taken now, since a guest may replace them.
const append_header = Headers.prototype.append;
const set_header = Headers.prototype.set;

function name_content_type(headers, type) {
  if (type !== null && header_of(headers, 'content-type') === null) ReflectApply(append_header, headers, ['content-type', type]);
}

// ---- Response

let response_of_network;

const reason_phrase = /^[\t\x20-\x7e\x80-\xff]*$/;
const has_null_body = (status) => status === 101 || status === 103 || status === 204 || status === 205 || status === 304;
const is_redirect = (status) => status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

// Web IDL's unsigned short.
const to_unsigned_short = (value) => Number(value) & 0xffff;

class Response {
  #type = 'default';
  #url = '';
  #redirected = false;
  #status = 200;
  #status_text = '';
  #headers = new Headers();
  #body = no_body();

  constructor(body = null, init = undefined) {
    this.#initialize(body === null ? null : extract_body(body), init);
  }

  static error() {
    const response = new Response();
    response.#type = 'error';
    response.#status = 0;
    freeze_headers(response.#headers);
    return response;
  }

  static json(data, init = undefined) {
    require_arguments(arguments.length, 1, 'Response.json');
    const text = JSONStringify(data);
    if (text === undefined) throw new TypeError('Response.json: the value has no JSON form');
    const response = new Response();
    response.#initialize({ __proto__: null, body: body_of_bytes(encode_utf8(text)), type: 'application/json' }, init);
    return response;
  }

  static redirect(url, status = 302) {
    require_arguments(arguments.length, 1, 'Response.redirect');
    const text = to_usv_string(url);
    const location = read_url(text);
    if (location === null) throw invalid_url(text);
    const code = to_unsigned_short(status);
    if (!is_redirect(code)) throw new RangeError(`Response.redirect: ${code} is not the status of a redirect`);
    const response = new Response();
    response.#status = code;
    ReflectApply(set_header, response.#headers, ['location', location.href]);
    freeze_headers(response.#headers);
    return response;
  }

  get type() { return this.#type; }
  get url() { return this.#url; }
  get redirected() { return this.#redirected; }
  get status() { return this.#status; }
  get ok() { return this.#status >= 200 && this.#status <= 299; }
  get statusText() { return this.#status_text; }
  get headers() { return this.#headers; }

  clone() {
    const body = clone_body(this.#body, 'Response.clone: the body is locked or was already read');
    const copy = new Response();
    copy.#body = body;
    copy.#type = this.#type;
    copy.#url = this.#url;
    copy.#redirected = this.#redirected;
    copy.#status = this.#status;
    copy.#status_text = this.#status_text;
    copy_headers(copy.#headers, this.#headers);
    return copy;
  }

  // `body` as extract_body gives it, or null.
  #initialize(body, init) {
    const { headers, status = 200, statusText = '' } = to_dictionary(init, 'Response: init');
    const code = to_unsigned_short(status);
    const phrase = to_byte_string(statusText, 'Response: statusText');
    if (code < 200 || code > 599) throw new RangeError(`Response: the status ${code} is not between 200 and 599`);
    if (RegExpPrototypeExec(reason_phrase, phrase) === null) throw new TypeError('Response: statusText is not a reason phrase');
    this.#status = code;
    this.#status_text = phrase;
    if (headers !== undefined) fill_headers(this.#headers, headers);
    if (body === null) return;
    if (has_null_body(code)) throw new TypeError(`Response: a response with status ${code} cannot have a body`);
    this.#body = body.body;
    name_content_type(this.#headers, body.type);
  }

  static {
    // What came over the network: `headers` are pairs of a name and a value, `body` is as 65_body.js has it.
    response_of_network = ({ status, statusText, url, redirected, headers, body }) => {
      const response = new Response();
      response.#type = 'basic';
      response.#url = url;
      response.#redirected = redirected;
      response.#status = status;
      response.#status_text = statusText;
      response.#body = body;
      add_received(response.#headers, headers);
      freeze_headers(response.#headers);
      return response;
    };
    define_body(this, (response) => ({ __proto__: null, body: response.#body, headers: response.#headers }));
    finish_interface(this, 'Response', {
      static_members: ['error', 'json', 'redirect'],
      describe: (value) => (#status in value
        ? fields('status', value.#status, 'statusText', value.#status_text, 'headers', value.#headers,
          'bodyUsed', is_used(value.#body), 'type', value.#type, 'url', value.#url) : undefined),
    });
  }
}
define_global('Response', Response);

// ---- Request

let read_request;

const shorten = (text) => (text.length > 200 ? `${StringPrototypeSlice(text, 0, 200)}...` : text);

function to_method(value) {
  const method = to_byte_string(value, 'Request: method');
  const upper = StringPrototypeToUpperCase(method);
  if (!is_token(method)) throw new TypeError(`Request: '${shorten(method)}' is not a method`);
  switch (upper) {
    case 'CONNECT': case 'TRACE': case 'TRACK': throw new TypeError(`Request: the method ${upper} is not allowed`);
    case 'DELETE': case 'GET': case 'HEAD': case 'OPTIONS': case 'POST': case 'PUT': return upper;
    default: return method;
  }
}

function to_request_url(input) {
  const text = to_usv_string(input);
  const url = read_url(text);
  if (url === null) throw invalid_url(text);
  if (url.has_credentials) throw new TypeError('Request: the URL must not hold a user name or password');
  return url.href;
}

// The member `name` of `init` if it is there, which must then be one of `allowed`.
function choice(init, name, current, allowed) {
  const value = init[name];
  if (value === undefined) return current;
  const text = `${value}`;
  for (let i = 0; i < allowed.length; ++i) if (text === allowed[i]) return text;
  throw new TypeError(`Request: '${shorten(text)}' is not a value of ${name}`);
}

class Request {
  #method = 'GET';
  #url = '';
  #headers = new Headers();
  #body = no_body();
  #signal;
  #cache = 'default';
  #credentials = 'same-origin';
  #integrity = '';
  #keepalive = false;
  #mode = 'cors';
  #redirect = 'follow';
  #referrer = 'about:client';
  #referrer_policy = '';

  constructor(input, init = undefined) {
    require_arguments(arguments.length, 1, 'Request');
    const options = to_dictionary(init, 'Request: init');
    const source = is_object(input) && #method in input ? input : null;
    if (source === null) this.#url = to_request_url(input);
    else this.#copy(source);

    this.#choose(options);
    const { body, headers, method, signal } = options;
    if (method !== undefined) this.#method = to_method(method);

    const source_signal = signal === undefined ? source?.#signal ?? null : signal;
    if (source_signal !== null && !is_signal(source_signal)) throw new TypeError('Request: signal must be an AbortSignal');
    this.#signal = dependent_signal(source_signal === null ? new_list() : [source_signal]);

    if (headers !== undefined) fill_headers(this.#headers, headers);
    else if (source !== null) copy_headers(this.#headers, source.#headers);

    const given = body === undefined || body === null ? null : extract_body(body);
    const has_body = given !== null || (source !== null && !is_null(source.#body));
    if (has_body && (this.#method === 'GET' || this.#method === 'HEAD')) {
      throw new TypeError('Request with GET/HEAD method cannot have body');
    }
    if (given !== null) {
      if (given.body.bytes === null && this.#keepalive) throw new TypeError('Request: a stream cannot be sent with keepalive');
      this.#body = given.body;
      name_content_type(this.#headers, given.type);
    } else if (source !== null) {
      this.#body = move_body(source.#body, "Input request's body is unusable");
    }
  }

  get method() { return this.#method; }
  get url() { return this.#url; }
  get headers() { return this.#headers; }
  get destination() { return this.#url && ''; }
  get referrer() { return this.#referrer; }
  get referrerPolicy() { return this.#referrer_policy; }
  get mode() { return this.#mode; }
  get credentials() { return this.#credentials; }
  get cache() { return this.#cache; }
  get redirect() { return this.#redirect; }
  get integrity() { return this.#integrity; }
  get keepalive() { return this.#keepalive; }
  get duplex() { return this.#url && 'half'; }
  get signal() { return this.#signal; }

  clone() {
    const body = clone_body(this.#body, 'Request.clone: the body is locked or was already read');
    const copy = new Request(this.#url, { __proto__: null, signal: this.#signal });
    copy.#copy(this);
    copy_headers(copy.#headers, this.#headers);
    copy.#body = body;
    return copy;
  }

  #copy(source) {
    this.#url = source.#url;
    this.#method = source.#method;
    this.#cache = source.#cache;
    this.#credentials = source.#credentials;
    this.#integrity = source.#integrity;
    this.#keepalive = source.#keepalive;
    this.#mode = source.#mode;
    this.#redirect = source.#redirect;
    this.#referrer = source.#referrer;
    this.#referrer_policy = source.#referrer_policy;
  }

  #choose(options) {
    this.#cache = choice(options, 'cache', this.#cache,
      ['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached']);
    this.#credentials = choice(options, 'credentials', this.#credentials, ['omit', 'same-origin', 'include']);
    choice(options, 'duplex', 'half', ['half']);
    const { integrity, keepalive, referrer } = options;
    if (integrity !== undefined) this.#integrity = `${integrity}`;
    if (keepalive !== undefined) this.#keepalive = !!keepalive;
    this.#mode = choice(options, 'mode', this.#mode, ['same-origin', 'no-cors', 'cors']);
    this.#redirect = choice(options, 'redirect', this.#redirect, ['follow', 'error', 'manual']);
    this.#referrer_policy = choice(options, 'referrerPolicy', this.#referrer_policy,
      ['', 'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin',
        'strict-origin-when-cross-origin', 'unsafe-url']);
    // The code has no address of its own, so a referrer can only be the client or nothing.
    if (referrer !== undefined) this.#referrer = `${referrer}` === '' ? '' : 'about:client';
    if (this.#cache === 'only-if-cached' && this.#mode !== 'same-origin') {
      throw new TypeError("Request: cache 'only-if-cached' needs mode 'same-origin'");
    }
  }

  static {
    read_request = (request) => ({
      __proto__: null, method: request.#method, url: request.#url, headers: pairs_of(request.#headers), body: request.#body,
      signal: request.#signal, redirect: request.#redirect,
    });
    define_body(this, (request) => ({ __proto__: null, body: request.#body, headers: request.#headers }));
    finish_interface(this, 'Request', {
      describe: (value) => (#method in value
        ? fields('method', value.#method, 'url', value.#url, 'headers', value.#headers, 'bodyUsed', is_used(value.#body))
        : undefined),
    });
  }
}
define_global('Request', Request);

host.internal.fetch_classes = { __proto__: null, Request, read_request, response_of_network };
