'use strict';
// What agents reach for out of habit and no grant gives: it is denied by its name.

const { ObjectDefineProperty, ObjectFreeze, PromiseReject, Proxy, String } = primordials;
const { internal } = host;
const { deny } = internal;

const shown = (value) => {
  try {
    if (value instanceof internal.URL) return value.protocol === 'file:' ? value.pathname : value.href;
    return String(value);
  } catch {
    return '?';
  }
};

// What Deno.connect is given: where to, in an object that may leave out the host.
const shown_place = (target) => {
  if (typeof target !== 'object' || target === null || target instanceof internal.URL) return shown(target);
  return target.path === undefined ? shown(target.hostname ?? '127.0.0.1') + ':' + shown(target.port ?? '') : shown(target.path);
};

const requires = (kind, subject) => deny('Requires ' + kind + ' access' + (subject === undefined ? '' : ' to "' + subject + '"'));

const { Deno, add_to_deno: add } = internal;

const deny_calls = (kind, names, subject) => {
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    add(name, { [name](...rest) { return PromiseReject(requires(kind, subject(rest[0]))); } }[name]);
    if (kind === 'read' || kind === 'write') {
      const sync = name + 'Sync';
      add(sync, { [sync](...rest) { throw requires(kind, subject(rest[0])); } }[sync]);
    }
  }
};
deny_calls('read', ['readLink', 'open'], shown);
deny_calls('write', ['create', 'truncate', 'chmod', 'chown', 'symlink', 'link', 'utime'], shown);
deny_calls('net', ['connect', 'connectTls', 'resolveDns'], shown_place);
add('listen', function listen(options) { throw requires('net', (options?.hostname ?? '0.0.0.0') + ':' + (options?.port ?? '')); });
add('serve', function serve() { throw requires('net', '0.0.0.0:8000'); });
add('chdir', function chdir(path) { throw requires('read', shown(path)); });
add('run', function run(options) { throw requires('run', shown(options?.cmd?.[0])); });
add('exit', function exit() { throw deny('Deno.exit is not available in the sandbox; return from the code instead'); });

const define = (name, value) => ObjectDefineProperty(globalThis, name, { __proto__: null, value, writable: true, configurable: true });
define('Deno', Deno);

define('require', function require(specifier) { throw host.functions.make_import_error(specifier); });

// An object, as elsewhere, going by `typeof process`; any use of it says what is wrong.
define('process', new Proxy(ObjectFreeze({ __proto__: null }), { __proto__: null,
  get(_, key) {
    if (typeof key === 'symbol' || key === 'then') return undefined;
    throw deny('process.' + key + ' is not available in the sandbox');
  } }));
