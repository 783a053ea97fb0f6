'use strict';
// MIME types as the MIME Sniffing standard parses and serialises them: the type of a body's blob.

const {
  RegExpPrototypeExec, StringPrototypeCharCodeAt, StringPrototypeIndexOf, StringPrototypeSlice, StringPrototypeToLowerCase,
} = primordials;
const { new_list } = host.internal.webidl;

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const quotable = /^[\t\x20-\x7e\x80-\xff]*$/;
const is_token = (text) => RegExpPrototypeExec(token, text) !== null;
const is_http_white_space = (code) => code === 32 || code === 9 || code === 10 || code === 13;

// Drops HTTP white space, at both ends unless `keep_start`.
function trim_http(text, keep_start = false) {
  let from = 0;
  let to = text.length;
  while (!keep_start && from < to && is_http_white_space(StringPrototypeCharCodeAt(text, from))) ++from;
  while (to > from && is_http_white_space(StringPrototypeCharCodeAt(text, to - 1))) --to;
  return StringPrototypeSlice(text, from, to);
}

// The end of the part of `text` that starts at `from` and stops before `stop`.
function end_of(text, stop, from) {
  const at = StringPrototypeIndexOf(text, stop, from);
  return at === -1 ? text.length : at;
}

// Reads the quoted string whose opening quote is at `at`.
function read_quoted(text, at) {
  let value = '';
  for (++at; at < text.length && text[at] !== '"'; ++at) {
    if (text[at] === '\\' && at + 1 < text.length) ++at;
    value += text[at];
  }
  return { __proto__: null, value, end: at + 1 };
}

// The first value of a name counts; names and values that are not allowed are skipped.
function add_parameter(parameters, name, value) {
  if (!is_token(name) || RegExpPrototypeExec(quotable, value) === null) return;
  for (let i = 0; i < parameters.length; ++i) if (parameters[i].name === name) return;
  parameters[parameters.length] = { __proto__: null, name, value };
}

function read_parameters(text, at) {
  const parameters = new_list();
  while (at < text.length) {
    ++at;  // the semicolon
    while (is_http_white_space(StringPrototypeCharCodeAt(text, at))) ++at;
    const semicolon = end_of(text, ';', at);
    const equals = end_of(text, '=', at);
    if (semicolon <= equals) {
      at = semicolon;
      continue;
    }
    const name = StringPrototypeToLowerCase(StringPrototypeSlice(text, at, equals));
    at = equals + 1;
    if (text[at] === '"') {
      const quoted = read_quoted(text, at);
      at = end_of(text, ';', quoted.end);
      add_parameter(parameters, name, quoted.value);
      continue;
    }
    const end = end_of(text, ';', at);
    const value = trim_http(StringPrototypeSlice(text, at, end), true);
    at = end;
    if (value !== '') add_parameter(parameters, name, value);
  }
  return parameters;
}

function quoted(value) {
  let result = '"';
  for (let i = 0; i < value.length; ++i) result += (value[i] === '"' || value[i] === '\\' ? '\\' : '') + value[i];
  return `${result}"`;
}

// The serialised form of a MIME type, or an empty string when it is none.
host.internal.normalize_mime_type = (input) => {
  const text = trim_http(input);
  const slash = end_of(text, '/', 0);
  const semicolon = end_of(text, ';', slash);
  const type = StringPrototypeSlice(text, 0, slash);
  const subtype = trim_http(StringPrototypeSlice(text, slash + 1, semicolon), true);
  if (!is_token(type) || !is_token(subtype)) return '';
  let result = StringPrototypeToLowerCase(`${type}/${subtype}`);
  const parameters = read_parameters(text, semicolon);
  for (let i = 0; i < parameters.length; ++i) {
    const { name, value } = parameters[i];
    result += `;${name}=${is_token(value) ? value : quoted(value)}`;
  }
  return result;
};

host.internal.http = { __proto__: null, is_token, trim_http };
