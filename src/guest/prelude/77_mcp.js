'use strict';
// Tools of the host: mcp.<server>.<tool>(args), <server>.<tool>(args), and what they throw. Any name can be called; the
// host says whether there is such a tool, and what it is called if not.

const { ArrayIsArray, Error, FunctionPrototypeToString, ObjectDefineProperty, Object, ObjectFreeze, ObjectHasOwn, PromiseReject, Proxy,
  ReflectGetOwnPropertyDescriptor, ReflectOwnKeys, RegExpPrototypeExec, StringPrototypeStartsWith, TypeError, WeakMap,
  WeakMapPrototypeGet, WeakMapPrototypeSet } = primordials;
const { internal } = host;

const hidden = (object, key, value) =>
  ObjectDefineProperty(object, key, { __proto__: null, value, writable: true, configurable: true });
const shown = (object, key, value) =>
  ObjectDefineProperty(object, key, { __proto__: null, value, enumerable: true, writable: true, configurable: true });

// ---- errors

const about_tool = (error, code, tool_name) => {
  shown(error, 'code', code);
  shown(error, 'toolName', tool_name);
  return error;
};
class MCPToolError extends Error {
  constructor(message, options) {
    super(message, options);
    about_tool(this, options?.code ?? 'TOOL_ERROR', options?.toolName);
  }
}
class ApprovalDenied extends internal.PermissionDenied {}
hidden(MCPToolError.prototype, 'name', 'MCPToolError');
hidden(ApprovalDenied.prototype, 'name', 'ApprovalDenied');
hidden(globalThis, 'MCPToolError', MCPToolError);
hidden(globalThis, 'ApprovalDenied', ApprovalDenied);
hidden(globalThis, 'PermissionDenied', internal.PermissionDenied);

// What the host says of a call of `tool_name`; undefined for what is no matter of tools.
internal.make_tool_error = (name, code, message, tool_name, data) => {
  switch (name) {
    case 'MCPToolError': {
      const error = new MCPToolError(message);
      if (data !== undefined) shown(error, 'structuredContent', data);
      return host.brand_error(about_tool(error, code, tool_name), 'ToolError', code, tool_name);
    }
    case 'LimitError': {
      const error = new MCPToolError(message);
      return host.brand_error(about_tool(error, code, tool_name), 'LimitError', code, tool_name);
    }
    case 'ApprovalDenied': {
      const error = new ApprovalDenied(message);
      return host.brand_error(about_tool(error, code, tool_name), 'PermissionError', 'APPROVAL_DENIED', tool_name);
    }
    case 'PermissionDenied': {
      const error = new internal.PermissionDenied(message);
      return host.brand_error(about_tool(error, code, tool_name), 'PermissionError', 'PERMISSION_DENIED', tool_name);
    }
    default: return undefined;
  }
};

// ---- tools as functions

const MAX_NAME = 256;  // in characters; the host counts bytes

const kind_of = (value) => {
  if (value === null) return 'null';
  if (ArrayIsArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : 'a ' + typeof value;
};

// What every server has beside its tools takes its one argument without a name: $read('file:///a').
const named = (name, given) => {
  if (typeof given !== 'string') return given;
  if (name === '$read' || name === 'read_resource') return { __proto__: null, uri: given };
  return name === '$prompt' || name === 'get_prompt' ? { __proto__: null, name: given } : given;
};

const make_tool = (server, name) => {
  const tool_name = server + '.' + name;
  const call = (given, is_raw, above) => {
    try {
      const args = given.length === 0 || given[0] === undefined ? { __proto__: null } : named(name, given[0]);
      if (given.length > 1 || typeof args !== 'object' || args === null || ArrayIsArray(args)) {
        const got = given.length > 1 ? given.length + ' arguments' : kind_of(args);
        throw new TypeError(`${tool_name} takes one object of named arguments, as in ${tool_name}({ name: value }); it was given ${got}`);
      }
      if (server.length > MAX_NAME || name.length > MAX_NAME) throw new TypeError('No tool has a name that long');
      return internal.call_tool(server, name, host.encode_arguments(args), is_raw, tool_name, above);
    } catch (error) {
      return PromiseReject(error);
    }
  };
  const tool = { [name](...given) { return call(given, false, tool); } }[name];
  const { raw } = { raw(...given) { return call(given, true, raw); } };
  ObjectDefineProperty(tool, 'raw', { __proto__: null, value: raw });
  return tool;
};

// Whether a program whose value is this function is meant to be called: not a class, nor a tool that was only named.
host.functions.is_main = (value) => value.length === 0 && !ObjectHasOwn(value, 'raw') &&
  !StringPrototypeStartsWith(FunctionPrototypeToString(value), 'class');

// Names that the language itself asks objects for: `await mcp.github` is no call of a tool called `then`. Those of the
// first kind are never tools; those of the second only if the server has such a tool.
const never_tools = ObjectFreeze({ __proto__: null, then: true, toJSON: true });
const seldom_tools = { __proto__: null, catch: true, finally: true, prototype: true, asymmetricMatch: true, nodeType: true };
{
  const names = ReflectOwnKeys(Object.prototype);
  for (let i = 0; i < names.length; i++) if (typeof names[i] === 'string') seldom_tools[names[i]] = true;
}

const namespaces = new WeakMap();
const MAX_NAMES_SHOWN = 100;

// For console: a namespace says which names are known in it.
internal.show_namespace = (space) => {
  const found = WeakMapPrototypeGet(namespaces, space);
  if (found === undefined) return undefined;
  const { label, names } = found;
  let text = '[' + label + ':';
  for (let i = 0; i < names.length && i < MAX_NAMES_SHOWN; i++) text += (i === 0 ? ' ' : ', ') + names[i];
  if (names.length > MAX_NAMES_SHOWN) text += `, ... ${names.length - MAX_NAMES_SHOWN} more`;
  return (names.length === 0 ? text + ' no known names' : text) + ']';
};

// An object whose own properties are the known names and whose every other name exists when it is asked for. Nothing of
// it can be changed, so that one part of a program cannot put itself between another and its tools. What stands behind
// the known names is made when the object is first used: most programs use one server of many.
const open_namespace = (label, names, make) => {
  const target = { __proto__: null };
  let is_filled = false;
  const fill = () => {
    if (is_filled) return target;
    is_filled = true;
    for (let i = 0; i < names.length; i++) {
      if (never_tools[names[i]] !== true) shown(target, names[i], make(names[i]));
    }
    return target;
  };
  const refuse = () => false;
  const space = new Proxy(target, ObjectFreeze({ __proto__: null,
    get(_, key) {
      if (typeof key === 'symbol' || never_tools[key] === true) return undefined;
      if (ObjectHasOwn(fill(), key)) return target[key];
      if (key === 'toString') return () => `[object ${label}]`;
      return seldom_tools[key] === true ? undefined : make(key);
    },
    has(_, key) { return ObjectHasOwn(fill(), key); },
    ownKeys() { return ReflectOwnKeys(fill()); },
    getOwnPropertyDescriptor(_, key) { return ReflectGetOwnPropertyDescriptor(fill(), key); },
    set: refuse, defineProperty: refuse, deleteProperty: refuse, setPrototypeOf: refuse, preventExtensions: refuse }));
  WeakMapPrototypeSet(namespaces, space, { __proto__: null, label, names });
  return space;
};
const open_server = (server, names) => open_namespace(server, names, (name) => make_tool(server, name));

const is_identifier = /^[A-Za-z_$][\w$]*$/;
// A server never takes the place of what every program expects to be there.
internal.is_global_server = (name) => RegExpPrototypeExec(is_identifier, name) !== null && !(name in globalThis);

// Before the code runs. `servers` is [{ server, tools: [name, ...] }, ...].
internal.connect_tools = (servers) => {
  const known = { __proto__: null };
  const names = [];
  for (let i = 0; i < servers.length; i++) {
    const { server, tools } = servers[i];
    if (ObjectHasOwn(known, server) || never_tools[server] === true) continue;
    shown(known, server, open_server(server, tools));
    names[names.length] = server;
  }
  const mcp = open_namespace('mcp', names, (server) => known[server] ?? open_server(server, []));
  hidden(globalThis, 'mcp', mcp);
  for (let i = 0; i < names.length; i++) {
    if (internal.is_global_server(names[i])) hidden(globalThis, names[i], known[names[i]]);
  }
};
