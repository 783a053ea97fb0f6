'use strict';
// fetch: the gateway does the network's part, this file the standard's. The gateway checks every request; nothing here is a
// check. The calls are in src/wire/README.md.

const {
  ArrayPrototypePush, ArrayPrototypeShift, MathMin, ObjectSetPrototypeOf, Promise, PromisePrototypeThen, PromiseReject,
  PromiseResolve, StringPrototypeIndexOf, StringPrototypeSlice, TypedArrayPrototypeGetBuffer: buffer_of,
  TypedArrayPrototypeGetByteOffset: offset_of, TypedArrayPrototypeGetLength: length_of, TypeError, Uint8Array,
  decodeURIComponent,
} = primordials;
const { internal } = host;
const { define_global, new_list, require_arguments } = internal.webidl;
const { Request, read_request, response_of_network } = internal.fetch_classes;
const { body_of_bytes, body_of_source, is_null, no_body, read_bytes, stream_of } = internal.body;
const { cancel_reader, get_reader } = internal.streams;
const { abort_reason, add_abort_algorithm, is_aborted } = internal.abort;

const ignore = () => {};

function without_fragment(url) {
  const at = StringPrototypeIndexOf(url, '#');
  return at === -1 ? url : StringPrototypeSlice(url, 0, at);
}

// ---- Calls

// Lets so many calls of a kind out at one time; the rest waits in order. A request that waits for its body, or a response
// that says nothing, can thus never hold up the calls that would end its waiting.
function limited_call(op, limit) {
  const waiting = new_list();
  let in_flight = 0;
  const leave = () => {
    --in_flight;
    if (waiting.length > 0) ArrayPrototypeShift(waiting)();
  };
  const start = (args, bytes, options) => {
    ++in_flight;
    const promise = internal.call(op, args, bytes, options);
    PromisePrototypeThen(promise, leave, leave);
    return promise;
  };
  return (args, bytes, options) => {
    if (in_flight < limit) return start(args, bytes, options);
    return new Promise((resolve) => ArrayPrototypePush(waiting, () => resolve(start(args, bytes, options))));
  };
}
const call_fetch = limited_call('net.fetch', 32);
const call_send = limited_call('net.send', 32);
const call_read = limited_call('net.read', 64);

// Whether the gateway still knows what is cancelled is of no interest.
const cancel = (args) => { PromisePrototypeThen(internal.call('net.cancel', args), ignore, ignore); };

// ---- The body of the request

// What the gateway takes at one time.
const MAX_PIECE_BYTES = 1048576;

// Sends `bytes`, or the end when they are undefined. False when the gateway takes no more.
async function send_piece(id, bytes) {
  const size = bytes === undefined ? 0 : length_of(bytes);
  for (let from = 0; from < size; from += MAX_PIECE_BYTES) {
    // Not subarray(): that asks the guest's Symbol.species what to make.
    const piece = new Uint8Array(buffer_of(bytes), offset_of(bytes) + from, MathMin(MAX_PIECE_BYTES, size - from));
    const { value } = await call_send({ __proto__: null, fetch: id, last: false }, piece);
    if (value === false) return false;
  }
  if (bytes === undefined) await call_send({ __proto__: null, fetch: id, last: true });
  return true;
}

// Sends a stream, each piece when the gateway has taken the one before. The promise is rejected when the stream fails; why
// the gateway takes no more is for the answer to say.
async function send_body(id, reader) {
  for (;;) {
    const bytes = await read_bytes(reader);
    let goes_on;
    try {
      goes_on = await send_piece(id, bytes);
    } catch {
      goes_on = false;
    }
    if (bytes === undefined) return;
    if (!goes_on) {
      PromisePrototypeThen(cancel_reader(reader), ignore, ignore);
      return;
    }
  }
}

// ---- The body of the response

// The bytes of the gateway's stream as a source for 65_body.js. `signal` breaks it off.
function source_of_network(stream, signal) {
  let is_over = false;
  let broken = undefined;       // { reason } after an abort
  let reject_read = undefined;  // of the read that waits
  const source = {
    __proto__: null,
    fail: undefined,
    read: () => {
      if (broken !== undefined) return PromiseReject(broken.reason);
      if (is_over) return PromiseResolve(undefined);
      return new Promise((resolve, reject) => {
        reject_read = reject;
        PromisePrototypeThen(call_read({ __proto__: null, stream }), ({ value, bytes }) => {
          if (value?.done === true) is_over = true;
          resolve(bytes);
        }, (error) => {
          is_over = true;
          reject(error);
        });
      });
    },
    cancel: () => {
      if (is_over) return;
      is_over = true;
      cancel({ __proto__: null, stream });
    },
  };
  add_abort_algorithm(signal, () => {
    if (is_over) return;
    broken = { __proto__: null, reason: abort_reason(signal) };
    source.cancel();
    reject_read?.(broken.reason);
    source.fail?.(broken.reason);
  });
  return source;
}

const has_null_body = (request, status) =>
  request.method === 'HEAD' || status === 101 || status === 103 || status === 204 || status === 205 || status === 304;

function response_of_answer(answer, request) {
  const { status, statusText, url, redirected, headers, stream } = answer;
  const parts = { __proto__: null, status, statusText, url, redirected, headers, body: no_body() };
  if (typeof stream === 'number') {
    if (has_null_body(request, status)) cancel({ __proto__: null, stream });
    else parts.body = body_of_source(source_of_network(stream, request.signal));
  }
  return response_of_network(parts);
}

// ---- http: and https:

// Without prototypes, so that no toJSON of the guest's is asked.
function headers_for_gateway(pairs) {
  const list = new_list();
  for (let i = 0; i < pairs.length; ++i) list[i] = ObjectSetPrototypeOf([pairs[i].name, pairs[i].value], null);
  return list;
}

function fetch_http(request) {
  const { body, signal } = request;
  const bytes = body.bytes ?? undefined;
  const reader = bytes !== undefined || is_null(body) ? undefined : get_reader(stream_of(body));
  return new Promise((resolve, reject) => {
    let id = undefined;      // once the gateway was asked
    let is_settled = false;
    const settle = (finish, value) => {
      if (is_settled) return;
      is_settled = true;
      finish(value);
    };
    const give_up = (reason) => {
      if (reader !== undefined) PromisePrototypeThen(cancel_reader(reader, reason), ignore, ignore);
      if (!is_settled && id !== undefined) cancel({ __proto__: null, fetch: id });
      settle(reject, reason);
    };
    const sent = (call_id) => {
      id = call_id;
      if (is_settled) {
        cancel({ __proto__: null, fetch: id });
      } else if (reader !== undefined) {
        PromisePrototypeThen(send_body(id, reader), ignore,
          (error) => give_up(new TypeError('fetch failed', { __proto__: null, cause: error })));
      }
    };
    add_abort_algorithm(signal, () => give_up(abort_reason(signal)));
    const { method, redirect, url } = request;
    PromisePrototypeThen(call_fetch({
      __proto__: null, method, url: without_fragment(url), headers: headers_for_gateway(request.headers), redirect,
      body: reader !== undefined ? 'stream' : bytes !== undefined ? 'bytes' : 'none',
    }, bytes, { __proto__: null, sent, above: fetch }), ({ value }) => {
      if (is_settled) cancel({ __proto__: null, stream: value.stream });
      else settle(resolve, response_of_answer(value, request));
    }, (error) => {
      id = undefined;
      give_up(error);
    });
  });
}

// ---- What needs no network

const local_response = (url, headers, body) =>
  response_of_network({ __proto__: null, status: 200, statusText: 'OK', url, redirected: false, headers, body });

function fetch_data(request) {
  const url = without_fragment(request.url);
  const data = internal.read_data_url(url);
  if (data === undefined) throw new TypeError('fetch failed: the data: URL cannot be read');
  return local_response(url, [['content-type', data.type]], request.method === 'HEAD' ? no_body() : body_of_bytes(data.bytes));
}

async function fetch_file(request) {
  const { method, url } = request;
  if (method !== 'GET') throw new TypeError(`Fetching files only supports the GET method: received ${method}`);
  const { pathname } = new internal.URL(url);
  let bytes;
  try {
    ({ bytes } = await internal.call('fs.read', { __proto__: null, path: decodeURIComponent(pathname) }, undefined,
      { __proto__: null, above: fetch }));
  } catch (error) {
    if (error instanceof internal.NotCapable) throw error;
    throw new TypeError(`Error fetching file '${url}': ${error.message}`);
  }
  return local_response(without_fragment(url), [], body_of_bytes(bytes ?? new Uint8Array(0)));
}

async function fetch(input, init = undefined) {
  require_arguments(arguments.length, 1, 'fetch');
  const request = read_request(new Request(input, init));
  if (is_aborted(request.signal)) throw abort_reason(request.signal);
  const scheme = StringPrototypeSlice(request.url, 0, StringPrototypeIndexOf(request.url, ':'));
  switch (scheme) {
    case 'http': case 'https': return fetch_http(request);
    case 'data': return fetch_data(request);
    case 'file': return fetch_file(request);
    case 'blob': throw new TypeError('Blob for the given URL not found.');
    default: throw new TypeError(`Url scheme '${scheme}' not supported`);
  }
}
define_global('fetch', fetch);
