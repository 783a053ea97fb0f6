'use strict';
// Files of the host in place of Emscripten's own, path by path, so that open, os, pathlib, shutil and all that build on
// them work on what is granted. A file is read when it is opened and written when it is closed, as the calls of the
// gateway have it. What Pyodide itself reads stays where it is.

const { FS, PATH, ERRNO_CODES } = pyodide;
const inner = { __proto__: null };
for (const name of ['open', 'stat', 'mkdir', 'rmdir', 'unlink', 'rename', 'readdir', 'readlink', 'symlink', 'chmod', 'chown',
  'truncate', 'utime', 'mknod', 'statfs', 'chdir', 'lookupPath']) inner[name] = FS[name];

const is_inner = (path) => typeof path !== 'string' || /^\/(lib\/python3\.?14|dev(\/|$)|proc\/self\/fd(\/|$))/.test(path);
// The gateway knows the working folder; a path that is relative to it stays so.
FS.cwd = () => '.';
const outer_path = (path) => {
  let from = 0;
  while (path.startsWith('./', from)) from += 2;
  while (from > 0 && path[from] === '/') from++;
  return path.slice(from) || '.';
};

// What the gateway said of the last call that it refused; Python words its exception with it.
bridge.refusal = null;
const fail = (code) => { throw new FS.ErrnoError(ERRNO_CODES[code] ?? ERRNO_CODES.EIO); };
const call = (op, args, bytes) => {
  bridge.refusal = null;
  const [, ok, json, data] = bridge.wait_for(bridge.call(op, JSON.stringify(args), bytes));
  if (ok) return { value: JSON.parse(json), bytes: data };
  const { name, code, message } = JSON.parse(json);
  if (name === 'PermissionDenied' && code === '') bridge.refusal = { kind: 'denied', message };
  if (name === 'QuotaExceeded') bridge.refusal = { kind: 'quota', message };
  return fail(name === 'QuotaExceeded' ? 'ENOSPC' : name === 'PermissionDenied' && code === '' ? 'EACCES' : code);
};

const KINDS = { __proto__: null, file: 0o100000, directory: 0o040000, symlink: 0o120000, other: 0o140000 };
const stat_of = (value) => ({
  dev: value.dev, ino: value.ino, mode: KINDS[value.kind] | (value.mode & 0o7777), nlink: value.nlink, uid: value.uid, gid: value.gid,
  rdev: 0, size: value.size, atime: new Date(value.atime), mtime: new Date(value.mtime), ctime: new Date(value.ctime),
  blksize: value.blksize, blocks: value.blocks,
});
const stat = (path, no_follow) => stat_of(call(no_follow ? 'fs.lstat' : 'fs.stat', { path: outer_path(path) }).value);

// ---- open files

const CREATE = 64, EXCLUSIVE = 128, TRUNCATE = 512, APPEND = 1024, DIRECTORY = 65536;
const open_files = new Set();
const NOTHING = new Uint8Array(0);

class OpenFile {
  constructor(path, content, appends) {
    this.path = path;
    this.bytes = content;
    this.size = content.length;
    this.appends = appends;
    this.saved = appends ? content.length : -1;  // of an appending file: how much of it the host has
    this.dirty = false;
    this.removed = false;
    this.time = new Date(bridge.now());
  }
  reserve(size) {
    if (size <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(size, this.bytes.length * 2, 256));
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
  }
  resize(size) {
    this.reserve(size);
    if (size < this.size) this.bytes.fill(0, size, this.size);
    this.size = size;
    this.dirty = true;
  }
  save() {
    if (!this.dirty || this.removed) return;
    this.dirty = false;
    const from = this.appends ? this.saved : 0;
    call('fs.write', { path: this.path, append: this.appends, create: true }, this.bytes.subarray(from, this.size));
    if (this.appends) this.saved = this.size;
  }
}

const file_ops = {
  getattr: ({ file }) => ({ dev: 1, ino: 1, mode: 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size: file.size, atime: file.time,
    mtime: file.time, ctime: file.time, blksize: 4096, blocks: Math.ceil(file.size / 512) }),
  setattr({ file }, { size }) { if (size !== undefined) file.resize(size); },
  llseek({ file, position }, offset, whence) {
    const to = offset + (whence === 1 ? position : whence === 2 ? file.size : 0);
    return to < 0 ? fail('EINVAL') : to;
  },
  read({ file }, buffer, offset, length, position) {
    const count = Math.max(0, Math.min(length, file.size - position));
    buffer.set(file.bytes.subarray(position, position + count), offset);
    return count;
  },
  write({ file }, buffer, offset, length, position) {
    file.reserve(position + length);
    file.bytes.set(buffer.subarray(offset, offset + length), position);
    file.size = Math.max(file.size, position + length);
    file.dirty = true;
    return length;
  },
  fsync({ file }) { file.save(); return 0; },
  close({ file }) {
    open_files.delete(file);
    file.save();
  },
};

const content_of = (path) => call('fs.read', { path }).bytes ?? NOTHING;
const content_if_there = (path) => {
  try {
    return content_of(path);
  } catch (error) {
    if (error.errno === ERRNO_CODES.ENOENT) return NOTHING;
    throw error;
  }
};

const open_file = (path, flags, mode) => {
  const access = flags & 3;
  if (access === 0 && !(flags & (CREATE | TRUNCATE))) return new OpenFile(path, content_of(path), false);
  const appends = (flags & APPEND) !== 0;
  const keeps = !(flags & TRUNCATE) && !(appends && access === 1) && !(flags & EXCLUSIVE);
  const content = !keeps ? NOTHING : flags & CREATE ? content_if_there(path) : content_of(path);
  // Refused now rather than when it is closed; what is there stays there unless it is to be emptied.
  call('fs.write', { path, append: !(flags & TRUNCATE), create: (flags & CREATE) !== 0, createNew: (flags & EXCLUSIVE) !== 0,
    mode: flags & CREATE ? mode & 0o777 : undefined });
  return new OpenFile(path, content, appends);
};

// ---- open folders

const folder_ops = { getattr: ({ path }) => stat(path), llseek: ({ position }, offset, whence) => offset + (whence === 1 ? position : 0) };
const open_folder = (path) => {
  const kinds = new Map(call('fs.readDir', { path: outer_path(path) }).value);
  const node = new FS.FSNode(null, PATH.basename(path), KINDS.directory | 0o755, 0);
  node.node_ops = { getattr: () => stat(path), lookup: (_, name) => ({ id: 1, mode: KINDS[kinds.get(name) ?? 'file'] }) };
  return { node, path, stream_ops: folder_ops, getdents: ['.', '..', ...kinds.keys()] };
};

const is_folder = (path) => {
  try {
    return FS.isDir(stat(path).mode);
  } catch {
    return false;
  }
};

FS.open = (path, flags, mode = 0o666) => {
  if (is_inner(path) || typeof flags === 'string') return inner.open(path, flags, mode);
  // CPython asks for the text of code that was compiled from no file.
  if (path === '' || /(^|\/)<[^/]*>$/.test(path)) fail('ENOENT');
  const stream = { flags: flags & ~(EXCLUSIVE | TRUNCATE), seekable: true, position: 0, ungotten: [], error: false };
  if (flags & DIRECTORY) return FS.createStream({ ...stream, ...open_folder(path) });
  const node = new FS.FSNode(null, PATH.basename(path), KINDS.file | 0o644, 0);
  const file = open_file(outer_path(path), flags, mode);
  open_files.add(file);
  return FS.createStream({ ...stream, node, path, file, stream_ops: file_ops });
};

// ---- paths

const outside = (name, handle) => {
  FS[name] = (path, ...rest) => (is_inner(path) ? inner[name](path, ...rest) : handle(path, ...rest));
};
outside('stat', stat);
outside('mkdir', (path, mode) => { call('fs.mkdir', { path: outer_path(path), mode: mode & 0o777 }); });
outside('rmdir', (path) => {
  if (!FS.isDir(stat(path, true).mode)) fail('ENOTDIR');
  call('fs.remove', { path: outer_path(path) });
});
outside('unlink', (path) => {
  if (is_folder(path)) fail('EISDIR');
  call('fs.remove', { path: outer_path(path) });
  // A program that has it open continues with it, and sees it alone.
  for (const file of open_files) if (file.path === outer_path(path)) file.removed = true;
});
outside('rename', (path, to) => {
  call('fs.rename', { path: outer_path(path), to: outer_path(to) });
  for (const file of open_files) if (file.path === outer_path(path)) file.path = outer_path(to);
});
outside('readdir', (path) => open_folder(path).getdents);
outside('truncate', (path, size) => {
  const file = open_file(outer_path(path), 2, 0);
  file.resize(size);
  file.save();
});
outside('statfs', () => fail('ENOSYS'));
outside('lookupPath', (path, options) => {
  const node = new FS.FSNode(null, PATH.basename(path), 0, 0);
  if (!options?.parent) node.mode = stat(path, !options?.follow).mode;
  return { path, node };
});
for (const name of ['readlink', 'symlink', 'chmod', 'chown', 'utime', 'mknod', 'chdir']) outside(name, () => fail('EPERM'));

// What a program left open is written all the same.
bridge.save_files = () => { for (const file of open_files) file.save(); };
