'use strict';
// How errors look from outside: stacks with the user's own frames, and denials in Deno's words.

const { ErrorPrototypeToString, String, Error, ObjectDefineProperty, StringPrototypeSlice } = primordials;

let program_name = '';
let map_position = null;  // set by 85_typescript.js when the code that runs is not the code that was sent

// The wrapper's first line stands before the user's.
const WRAPPER_LINES = 1;

host.internal.set_program = (name) => { program_name = name; map_position = null; };
host.internal.set_position_map = (map) => { map_position = map; };
// Behind `column` of this line stand `by` characters that the program does not have.
host.functions.shift_columns = (line, column, by) => {
  const map = map_position;
  map_position = (at_line, at_column) => {
    const own = at_line === line && at_column >= column + by ? at_column - by : at_column;
    return map === null ? { __proto__: null, line: at_line, column: own } : map(at_line, own);
  };
};

const describe_site = (site) => {
  if (site.getScriptNameOrSourceURL() !== program_name) return '';
  let line = site.getLineNumber();
  let column = site.getColumnNumber();
  if (map_position !== null) {
    const mapped = map_position(line, column);
    if (mapped === null) return '';
    line = mapped.line;
    column = mapped.column;
  }
  line -= WRAPPER_LINES;
  if (line < 1) return '';
  const place = program_name + ':' + line + ':' + column;
  let name = site.getFunctionName();
  if (name !== null && name !== undefined && name !== '') {
    if (site.isConstructor()) name = 'new ' + name;
    if (site.isAsync()) name = 'async ' + name;
    return '\n    at ' + name + ' (' + place + ')';
  }
  return '\n    at ' + (site.isAsync() ? 'async ' : '') + place;
};

host.functions.format_stack = (error, sites) => {
  let text;
  try {
    text = ErrorPrototypeToString(error);
  } catch {
    text = 'Error';
  }
  for (let i = 0; i < sites.length; i++) text += describe_site(sites[i]);
  return text;
};

// Deno 2 renamed its PermissionDenied to NotCapable; code that was written for either catches both.
const name_class = (constructor, name) => {
  ObjectDefineProperty(constructor.prototype, 'name', { __proto__: null, value: name, writable: true, configurable: true });
  return constructor;
};
const NotCapable = name_class(class NotCapable extends Error {}, 'NotCapable');
const PermissionDenied = name_class(class PermissionDenied extends NotCapable {}, 'PermissionDenied');
host.internal.NotCapable = NotCapable;
host.internal.PermissionDenied = PermissionDenied;

host.internal.deny = (message, code = 'PERMISSION_DENIED') =>
  host.brand_error(new PermissionDenied(message), 'PermissionError', code);
host.internal.limit_error = (message, code) => host.brand_error(new Error(message), 'LimitError', code);

host.functions.make_import_error = (specifier) => {
  let shown = String(specifier);
  if (shown.length > 200) shown = StringPrototypeSlice(shown, 0, 200) + '...';
  return host.internal.deny('Requires import access to "' + shown + '": modules cannot be imported in the sandbox', 'MODULE_DENIED');
};
