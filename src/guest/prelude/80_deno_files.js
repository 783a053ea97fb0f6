'use strict';
// Deno's file calls. Each is described once: how its arguments become a call, and what its reply becomes. Both forms of
// it, the one that returns a promise and the one that ends in Sync, are made from that.

const { Date, NumberIsInteger, ObjectDefineProperty, Promise, PromisePrototypeThen, PromiseReject, ReflectApply, String,
  SymbolAsyncIterator, SymbolIterator, TypeError, Uint8Array, decodeURIComponent } = primordials;
const { internal } = host;
const { abort, call, call_sync } = internal;
const { is_object } = internal.webidl;

const Deno = { __proto__: null };
internal.Deno = Deno;
const add = (name, value) =>
  ObjectDefineProperty(Deno, name, { __proto__: null, value, enumerable: true, writable: true, configurable: true });
internal.add_to_deno = add;
add('errors', internal.errors);

// ---- arguments

const path_from = (value) => {
  if (typeof value === 'string') return value;
  if (value instanceof internal.URL) {
    if (value.protocol !== 'file:') throw new TypeError('Must be a file URL.');
    return decodeURIComponent(value.pathname);
  }
  throw new TypeError('The path must be a string or a file URL');
};
internal.path_from = path_from;

const mode_from = (options) => {
  const mode = options?.mode;
  if (mode === undefined || mode === null) return undefined;
  if (!NumberIsInteger(mode) || mode < 0) throw new TypeError('The mode must be a number such as 0o600');
  return mode;
};

const write_args = (path, options) => ({ __proto__: null, path: path_from(path), append: options?.append === true,
  create: options?.create !== false, createNew: options?.createNew === true, mode: mode_from(options) });

// ---- results

const nothing = () => undefined;
const value_of = (reply) => reply.value;
const bytes_of = (reply) => reply.bytes ?? new Uint8Array(0);

const time = (ms) => (typeof ms === 'number' ? new Date(ms) : null);
const file_info = ({ value }) => ({
  isFile: value.kind === 'file', isDirectory: value.kind === 'directory', isSymlink: value.kind === 'symlink',
  size: value.size, mtime: time(value.mtime), atime: time(value.atime), birthtime: time(value.birthtime),
  ctime: time(value.ctime), dev: value.dev, ino: value.ino, mode: value.mode, nlink: value.nlink, uid: value.uid,
  gid: value.gid, rdev: 0, blksize: value.blksize, blocks: value.blocks, isBlockDevice: false, isCharDevice: false,
  isFifo: false, isSocket: false,
});

const directory_entry = (entry) => ({ name: entry[0], isFile: entry[1] === 'file', isDirectory: entry[1] === 'directory',
  isSymlink: entry[1] === 'symlink' });

// ---- the calls

const TEXT = { __proto__: null, text: true };
const bytes_from = (data) => {
  if (data instanceof Uint8Array) return data;
  throw new TypeError('The data must be a Uint8Array or a ReadableStream');
};
const text_bytes = (data) => internal.text.encode_utf8(String(data));

const path_only = (op, result) => ({ __proto__: null, op, result, args: (path) => ({ __proto__: null, path: path_from(path) }) });
const two_paths = (op) => ({ __proto__: null, op, result: nothing,
  args: (from, to) => ({ __proto__: null, path: path_from(from), to: path_from(to) }) });
const temporary = (op) => ({ __proto__: null, op, result: value_of,
  args: (options) => ({ __proto__: null, dir: options?.dir === undefined ? '' : path_from(options.dir),
    prefix: String(options?.prefix ?? ''), suffix: String(options?.suffix ?? '') }) });

const calls = {
  __proto__: null,
  readFile: path_only('fs.read', bytes_of),
  readTextFile: { ...path_only('fs.read', (reply) => reply.bytes ?? ''), __proto__: null, options: TEXT },
  stat: path_only('fs.stat', file_info),
  lstat: path_only('fs.lstat', file_info),
  realPath: path_only('fs.realPath', value_of),
  writeFile: { __proto__: null, op: 'fs.write', result: nothing, args: (path, _, options) => write_args(path, options),
    bytes: (_, data) => bytes_from(data) },
  writeTextFile: { __proto__: null, op: 'fs.write', result: nothing, args: (path, _, options) => write_args(path, options),
    bytes: (_, data) => text_bytes(data) },
  mkdir: { __proto__: null, op: 'fs.mkdir', result: nothing,
    args: (path, options) => ({ __proto__: null, path: path_from(path), recursive: options?.recursive === true, mode: mode_from(options) }) },
  remove: { __proto__: null, op: 'fs.remove', result: nothing,
    args: (path, options) => ({ __proto__: null, path: path_from(path), recursive: options?.recursive === true }) },
  rename: two_paths('fs.rename'),
  copyFile: two_paths('fs.copy'),
  makeTempDir: temporary('fs.makeTempDir'),
  makeTempFile: temporary('fs.makeTempFile'),
};

const NO_BYTES = () => undefined;
// The last argument of those that take options may hold a signal.
const signal_of = (rest) => {
  const options = rest[rest.length - 1];
  const signal = is_object(options) ? options.signal : undefined;
  return signal !== undefined && signal !== null && abort.is_signal(signal) ? signal : null;
};

const abortable = (signal, promise) => {
  if (signal === null) return promise;
  return new Promise((resolve, reject) => {
    abort.add_abort_algorithm(signal, () => reject(signal.reason));
    PromisePrototypeThen(promise, resolve, reject);
  });
};

// A stream is written piece by piece: the first as asked, the others behind it.
const is_stream = (data) => is_object(data) && typeof data[SymbolAsyncIterator] === 'function';
const write_stream = async (name, path, stream, options, signal) => {
  const { bytes } = calls[name];
  const args = write_args(path, options);
  let pieces = 0;
  for await (const chunk of stream) {
    if (signal !== null && abort.is_aborted(signal)) throw signal.reason;
    await call('fs.write', args, bytes(undefined, chunk));
    args.append = true;
    args.createNew = false;
    pieces++;
  }
  if (pieces === 0) await call('fs.write', args);
};

for (const name in calls) {
  const { op, args, result, options, bytes = NO_BYTES } = calls[name];
  const sync = name + 'Sync';
  add(name, { [name](...rest) {
    try {
      const signal = signal_of(rest);
      if (signal !== null && abort.is_aborted(signal)) return PromiseReject(signal.reason);
      if (op === 'fs.write' && is_stream(rest[1])) return write_stream(name, rest[0], rest[1], rest[2], signal);
      const reply = call(op, ReflectApply(args, undefined, rest), ReflectApply(bytes, undefined, rest), options);
      return abortable(signal, PromisePrototypeThen(reply, result));
    } catch (error) {
      return PromiseReject(error);
    }
  } }[name]);
  add(sync, { [sync](...rest) {
    return result(call_sync(op, ReflectApply(args, undefined, rest), ReflectApply(bytes, undefined, rest), options));
  } }[sync]);
}

// ---- folders, which are iterated

add('readDir', function readDir(path) {
  const args = { __proto__: null, path: path_from(path) };
  return {
    async *[SymbolAsyncIterator]() {
      const { value } = await call('fs.readDir', args);
      for (let i = 0; i < value.length; i++) yield directory_entry(value[i]);
    },
  };
});
add('readDirSync', function readDirSync(path) {
  const { value } = call_sync('fs.readDir', { __proto__: null, path: path_from(path) });
  return {
    *[SymbolIterator]() {
      for (let i = 0; i < value.length; i++) yield directory_entry(value[i]);
    },
  };
});
add('cwd', function cwd() { return call_sync('fs.cwd', { __proto__: null }).value; });
