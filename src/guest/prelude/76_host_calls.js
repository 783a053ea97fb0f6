'use strict';
// Calls that the host answers: the only way out of the guest. Promises are kept here until their reply comes.

const { Array, ArrayIsArray, ArrayPrototypePush, Error, ErrorCaptureStackTrace, Map, MapPrototypeDelete, MapPrototypeGet,
  MapPrototypeSet, ObjectDefineProperty, ObjectFreeze, ObjectSetPrototypeOf, Promise, StringPrototypeIndexOf,
  StringPrototypeSlice, StringPrototypeStartsWith, TypeError } = primordials;
const { internal } = host;

// Deno's classes, each a subclass of Error with its own name.
const errors = { __proto__: null, PermissionDenied: internal.PermissionDenied, NotCapable: internal.NotCapable };
const names = ['NotFound', 'ConnectionRefused', 'ConnectionReset', 'ConnectionAborted', 'NotConnected', 'AddrInUse',
  'AddrNotAvailable', 'BrokenPipe', 'AlreadyExists', 'InvalidData', 'TimedOut', 'Interrupted', 'WriteZero', 'WouldBlock',
  'UnexpectedEof', 'BadResource', 'Http', 'Busy', 'NotSupported', 'FilesystemLoop', 'IsADirectory', 'NetworkUnreachable',
  'NotADirectory'];
for (const name of names) {
  const constructor = { [name]: class extends Error {} }[name];
  ObjectDefineProperty(constructor.prototype, 'name', { __proto__: null, value: name, writable: true, configurable: true });
  errors[name] = constructor;
}
internal.errors = ObjectFreeze(errors);

const define = (object, key, value, enumerable = false) =>
  ObjectDefineProperty(object, key, { __proto__: null, value, enumerable, writable: true, configurable: true });

// Where the call was made, so that an error shows the line of the code that made it. Of a stack V8 keeps ten frames; those
// down to the function `above`, if given, are not counted.
const call_site = (above) => {
  const site = { __proto__: null, stack: undefined };
  ErrorCaptureStackTrace(site, above);
  return site;
};

const with_stack_of = (site, error) => {
  const { stack } = site;
  const frames = typeof stack === 'string' ? StringPrototypeIndexOf(stack, '\n') : -1;
  const title = error.message === '' ? error.name : error.name + ': ' + error.message;
  define(error, 'stack', frames < 0 ? title : title + StringPrototypeSlice(stack, frames));
  return error;
};

// The error that the host describes by { name, code, message, data? }; of a tool, 77_mcp.js makes its own.
const make_error = ({ name, code, message, data }, tool_name) => {
  if (tool_name !== undefined) {
    const error = internal.make_tool_error(name, code, message, tool_name, data);
    if (error !== undefined) return error;
  }
  if (name === 'PermissionDenied' && code === '') return internal.deny(message);
  let error;
  if (name === 'QuotaExceeded') error = internal.limit_error(message, 'WRITE_QUOTA');
  else if (name === 'LimitError') error = internal.limit_error(message, code);
  else if (name === 'TypeError') error = new TypeError(message);
  else error = new (errors[name] ?? Error)(message);
  if (code !== '') define(error, 'code', code, true);
  return error;
};

const to_error = (site, description, tool_name) =>
  description instanceof Error ? description : with_stack_of(site, make_error(description, tool_name));

// The host takes a limited number of calls at one time; the rest waits here, in order.
const waiting = ObjectSetPrototypeOf([], null);
let next_waiting = 0;
let in_flight = 0;
let must_end = 0;
const pending = new Map();

const send = (call) => {
  const id = call.tool === undefined ? host.send_call(call.op, call.args, call.bytes, call.as_text)
    : host.send_tool_call(call.tool.server, call.tool.name, call.tool.json, call.tool.raw);
  call.tool = undefined;
  in_flight++;
  if (call.must_end) must_end++;
  call.bytes = undefined;
  MapPrototypeSet(pending, id, call);
  if (call.sent !== undefined) call.sent(id);
};

const send_waiting = () => {
  while (next_waiting < waiting.length && in_flight < host.max_calls) {
    const call = waiting[next_waiting++];
    try {
      send(call);
    } catch (error) {
      call.reject(error);
    }
  }
  if (next_waiting === waiting.length) waiting.length = next_waiting = 0;
};

// A run that returns waits for its file operations and tools, as a program does in Deno: a write that was not awaited
// is made, and a denial that was not caught still counts.
host.functions.has_unfinished_calls = () => must_end > 0;

// What the last tool gave, for an error that comes of taking it for something else. The value itself is not kept.
let given_by = '', given_kind = '';
const note_given = (tool_name, value) => {
  given_by = tool_name;
  if (typeof value !== 'object' || value === null) given_kind = typeof value === 'string' ? 'text' : `${value}`;
  else if (ArrayIsArray(value)) given_kind = 'an array';
  else {
    given_kind = 'an object';
    let count = 0;
    for (const key in value) {
      if (++count > 6) { given_kind += ', ...'; break; }
      given_kind += (count === 1 ? ' with the keys ' : ', ') + StringPrototypeSlice(key, 0, 40);
    }
  }
};
host.functions.tell_given = () => (given_by === '' ? '' : `${given_by} gave ${given_kind}`);

host.functions.settle_call = (id, ok, value, bytes) => {
  const call = MapPrototypeGet(pending, id);
  if (call === undefined) return;
  MapPrototypeDelete(pending, id);
  in_flight--;
  if (call.must_end) must_end--;
  send_waiting();
  if (ok && call.tool_name !== undefined) note_given(call.tool_name, value);
  if (ok) call.resolve(call.tool_name === undefined ? { __proto__: null, value, bytes } : value);
  else call.reject(to_error(call.site, value, call.tool_name));
};

const enter = (call) => {
  if (in_flight < host.max_calls) send(call);
  else ArrayPrototypePush(waiting, call);
};

// internal.call(op, args, bytes?, { text, sent, above }?) -> Promise of { value, bytes }. `args` is an object without a
// prototype; with `text`, bytes come as a string; `sent` gets the call's id; `above` is the function that was called.
internal.call = (op, args, bytes, options) => new Promise((resolve, reject) => {
  const call = { __proto__: null, op, args, bytes, as_text: options?.text === true, sent: options?.sent, resolve, reject,
    site: call_site(options?.above), must_end: StringPrototypeStartsWith(op, 'fs.'), tool: undefined, tool_name: undefined };
  enter(call);
});

// The same of a tool, but a Promise of the value itself. `json` is its arguments as they are now, whenever its turn comes;
// with `raw`, the value is MCP's content blocks.
internal.call_tool = (server, name, json, raw, tool_name, above) => new Promise((resolve, reject) => {
  enter({ __proto__: null, op: 'tool', args: undefined, bytes: undefined, as_text: false, sent: undefined, resolve, reject,
    site: call_site(above), must_end: true, tool: { __proto__: null, server, name, json, raw }, tool_name });
});

// The same at once; nothing else happens in the guest meanwhile.
internal.call_sync = (op, args, bytes, options) => {
  const answer = host.call_sync(op, args, bytes, options?.text === true);
  if (!answer[0]) throw to_error(call_site(), answer[1]);
  return { __proto__: null, value: answer[1], bytes: answer[2] };
};
