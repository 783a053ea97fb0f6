'use strict';
// amaro, for what src/guest/types leaves alone. Types are blanked out in place here as well, so that positions stay. Enums
// and parameter properties need a rewrite; then a source map leads back.

const { ArrayPrototypePush, JSONParse, ObjectSetPrototypeOf, StringPrototypeCharCodeAt } = primordials;

let stripper = null;
const load_stripper = () => {
  if (stripper !== null) return stripper;
  const library = { __proto__: null,
    util: { TextDecoder: globalThis.TextDecoder, TextEncoder: globalThis.TextEncoder },
    'node:buffer': {},
    'glovebox:stripper': host.stripper_module() };
  const module = { exports: {} };
  host.load_type_stripper((name) => library[name], module);
  stripper = module.exports;
  return stripper;
};

// Base64 VLQ, as source maps have it.
const digit_of = (code) => {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  return code === 43 ? 62 : 63;
};

// Positions are looked up while guest code runs: setters that it puts on Array.prototype are not called.
const list = () => ObjectSetPrototypeOf([], null);

// lines[generatedLine] = [generatedColumn, sourceLine, sourceColumn, ...], all from zero.
const decode_mappings = (text) => {
  const lines = list();
  ArrayPrototypePush(lines, list());
  let column = 0, source_line = 0, source_column = 0;
  let fields = list(), value = 0, shift = 0;
  const end_segment = () => {
    if (fields.length === 0) return;
    column += fields[0];
    if (fields.length >= 4) {
      source_line += fields[2];
      source_column += fields[3];
      const line = lines[lines.length - 1];
      ArrayPrototypePush(line, column);
      ArrayPrototypePush(line, source_line);
      ArrayPrototypePush(line, source_column);
    }
    fields = list();
  };
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code === 44) { end_segment(); continue; }
    if (code === 59) { end_segment(); ArrayPrototypePush(lines, list()); column = 0; continue; }
    const digit = digit_of(code);
    value |= (digit & 31) << shift;
    if (digit & 32) { shift += 5; continue; }
    ArrayPrototypePush(fields, value & 1 ? -(value >> 1) : value >> 1);
    value = 0; shift = 0;
  }
  end_segment();
  return lines;
};

const position_map = (map_text) => {
  let lines = null;
  return (line, column) => {
    if (lines === null) lines = decode_mappings(JSONParse(map_text).mappings);
    const segments = lines[line - 1];
    if (segments === undefined) return null;
    let best = -1;
    for (let i = 0; i < segments.length; i += 3) {
      if (segments[i] <= column - 1) best = i;
    }
    if (best < 0) return null;
    return { line: segments[best + 1] + 1, column: segments[best + 2] + 1 };
  };
};

const as_report = (error) => ({ __proto__: null, message: `${error?.message ?? error}`, line: error?.startLine ?? 0,
  column: (error?.startColumn ?? 0) + 1 });

// The code without types, or { message, line, column }.
host.functions.strip_types = (source) => {
  const { transformSync } = load_stripper();
  try {
    const stripped = transformSync(source, { mode: 'strip-only', module: true }).code;
    host.internal.set_position_map(null);
    return stripped;
  } catch (error) {
    if (error?.code !== 'UnsupportedSyntax') return as_report(error);
  }
  try {
    const { code, map } = transformSync(source, { mode: 'transform', sourceMap: true, module: true });
    host.internal.set_position_map(position_map(map));
    return code;
  } catch (error) {
    return as_report(error);
  }
};
