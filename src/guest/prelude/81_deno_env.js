'use strict';
// Deno.env, Deno.Command and Deno.permissions.

const { ArrayIsArray, ObjectDefineProperty, ObjectFreeze, ObjectKeys, PromisePrototypeThen, PromiseReject, String, TypeError,
  Uint8Array } = primordials;
const { internal } = host;
const { add_to_deno: add, call, call_sync, path_from } = internal;
const { is_object } = internal.webidl;

// ---- environment

const env_get = (name) => call_sync('env.get', { __proto__: null, name: String(name) }).value;
// Denied in Deno's words without a grant; with one, it is still not for the guest to change.
const cannot_change = (name) => {
  env_get(name);
  throw new internal.errors.NotSupported('The environment cannot be changed from the sandbox');
};
add('env', ObjectFreeze({
  __proto__: null,
  get(name) { return env_get(name) ?? undefined; },
  has(name) { return env_get(name) !== null; },
  toObject() { return call_sync('env.all', { __proto__: null }).value; },
  set(name) { cannot_change(name); },
  delete(name) { cannot_change(name); },
}));

// ---- commands

const STREAMS = { __proto__: null, piped: true, null: true };
const stream_option = (options, name, fallback) => {
  const value = options?.[name] ?? fallback;
  if (STREAMS[value] !== true) throw new TypeError(`${name}: '${value}' is not available in the sandbox; use 'piped' or 'null'`);
  return value;
};

const command_args = (program, options) => {
  const args = options?.args ?? [];
  if (!ArrayIsArray(args)) throw new TypeError('args must be an array');
  const list = [];
  for (let i = 0; i < args.length; i++) list[i] = String(args[i]);
  const variables = [];
  if (is_object(options?.env)) {
    const names = ObjectKeys(options.env);
    for (let i = 0; i < names.length; i++) variables[i] = [names[i], String(options.env[names[i]])];
  }
  if (options?.stdin !== undefined && options.stdin !== 'null') {
    throw new TypeError("stdin: only 'null' is available in the sandbox");
  }
  return { __proto__: null, command: program, args: list, env: variables, clearEnv: options?.clearEnv === true,
    cwd: options?.cwd === undefined ? null : path_from(options.cwd),
    stdout: stream_option(options, 'stdout', 'piped'), stderr: stream_option(options, 'stderr', 'piped') };
};

const command_output = ({ value, bytes }) => {
  const all = bytes ?? new Uint8Array(0);
  const part = (name, from, to) => {
    if (value[name] === null) return { get() { throw new TypeError(`Cannot get '${name}': '${name}' is not piped`); } };
    return { value: all.slice(from, to), writable: true };
  };
  const output = { code: value.code, success: value.code === 0 && value.signal === null, signal: value.signal };
  const out_bytes = value.stdout ?? 0;
  ObjectDefineProperty(output, 'stdout', { __proto__: null, enumerable: true, configurable: true, ...part('stdout', 0, out_bytes) });
  ObjectDefineProperty(output, 'stderr',
    { __proto__: null, enumerable: true, configurable: true, ...part('stderr', out_bytes, all.length) });
  return output;
};

add('Command', class Command {
  #args;
  #options;
  constructor(command, options) {
    this.#args = command_args(typeof command === 'string' ? command : path_from(command), options);
    this.#options = options;
  }
  output() {
    const signal = this.#options?.signal;
    if (signal !== undefined && internal.abort.is_signal(signal) && internal.abort.is_aborted(signal)) return PromiseReject(signal.reason);
    return PromisePrototypeThen(call('run', this.#args), command_output);
  }
  outputSync() { return command_output(call_sync('run', this.#args)); }
  spawn() { throw internal.deny('Requires run access: Deno.Command.spawn is not available in the sandbox; use output()'); }
});

// ---- permissions

const NAMES = { __proto__: null, read: 'path', write: 'path', net: 'host', env: 'variable', run: 'command', sys: '', ffi: '', import: 'host' };
class PermissionStatus {
  #state;
  constructor(state) { this.#state = state; }
  get state() { return this.#state; }
  get partial() { return false; }
  get onchange() { return null; }
}

const query_args = (descriptor) => {
  if (!is_object(descriptor) || NAMES[descriptor.name] === undefined) {
    throw new TypeError('The provided value "' + String(descriptor?.name) + '" is not a valid permission name');
  }
  const field = NAMES[descriptor.name];
  const subject = field === '' ? undefined : descriptor[field];
  return { __proto__: null, name: descriptor.name,
    subject: subject === undefined ? null : field === 'path' || field === 'command' ? path_from(subject) : String(subject) };
};
const status = ({ value }) => new PermissionStatus(value);
const query = (descriptor) => {
  try {
    return PromisePrototypeThen(call('permissions.query', query_args(descriptor)), status);
  } catch (error) {
    return PromiseReject(error);
  }
};
const query_sync = (descriptor) => status(call_sync('permissions.query', query_args(descriptor)));
// There is no person to ask: a request is answered by what was granted before the run.
add('permissions', ObjectFreeze({ __proto__: null, query, querySync: query_sync, request: query, requestSync: query_sync }));
