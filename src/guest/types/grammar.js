// The grammar of types. The parser is generous: it takes `A<B C>` and `let x: if`, which are errors. So each type that
// it finds is read once more, strictly; what does not fit is left to amaro, for its error or because it knows better.

class Declined {
  constructor(reason) { this.reason = reason; }
}
const decline = (reason) => { throw new Declined(reason); };

const is_line_break = (code) => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
// `await`, `yield` and the words reserved in strict mode are names of types as well, but hardly used.
const reserved = new Set(['await', 'break', 'case', 'catch', 'class', 'const', 'continue', 'debugger', 'default',
  'delete', 'do', 'else', 'enum', 'export', 'extends', 'false', 'finally', 'for', 'function', 'if', 'implements',
  'import', 'in', 'instanceof', 'interface', 'let', 'new', 'null', 'package', 'private', 'protected', 'public',
  'return', 'static', 'super', 'switch', 'this', 'throw', 'true', 'try', 'typeof', 'var', 'void', 'while', 'with',
  'yield']);
const keywords = new Set(['any', 'bigint', 'boolean', 'never', 'number', 'object', 'string', 'symbol', 'undefined',
  'unknown']);
const operators = new Set(['abstract', 'as', 'asserts', 'declare', 'in', 'infer', 'is', 'keyof', 'out', 'readonly',
  'satisfies', 'type', 'unique']);
const modifiers = new Set(['public', 'private', 'protected', 'static', 'abstract', 'override', 'async']);

let matches = [];  // for each bracket that opens, where it closes
let at = 0, stop = 0;
let steps = 0;  // reading a constraint twice at each level would take forever
let in_extends = false;  // `T extends infer U extends V ? ...`: whose is the question?

// Each of these reads a region, from its first token to its last.
function check_annotation(first, end) { check_region(first, end, () => { need(tt.colon); read_result_type(); }); }
function check_cast(first, end) {
  check_region(first, end, () => {
    at++;
    if (!take_word('const')) read_type();
  });
}
function check_angles(first, end) {
  check_region(first, end, tokens[first].parameters ? read_type_parameters : read_type_arguments);
}
function check_heritage(first, end) { check_region(first, end, () => { at++; read_references(); }); }
function check_index_signature(first, end) {
  check_region(first, end, () => {
    read_index_signature();
    take(tt.semi);
  });
}
function check_declaration(first, end) { check_region(first, end, read_declaration); }
function check_bodiless_function(first, end) {
  check_region(first, end, () => {
    take_word('async');
    read_bodiless_function();
  });
}
function check_bodiless_method(first, end) {
  check_region(first, end, () => {
    while (modifiers.has(word_here()) && next_is_key()) at++;
    if (!take_accessor()) {
      if (word_here() === 'constructor' && next_kind_is(tt.parenL)) {
        at++;
        read_parameters();
      } else {
        read_key();
        take(tt.question);
        read_signature();
      }
    }
    take(tt.semi);
  });
}

function check_region(first, end, body) {
  at = first;
  stop = end;
  in_extends = false;
  match_brackets(first, end);
  body();
  if (at !== end) decline('type');
}

function match_brackets(first, end) {
  const open = [];
  for (let i = first; i < end; i++) {
    switch (tokens[i].type) {
      case tt.braceL: case tt.parenL: case tt.bracketL: case tt.dollarBraceL:
        open.push(i);
        break;
      case tt.braceR: case tt.parenR: case tt.bracketR:
        if (open.length === 0) decline('type');
        matches[open.pop()] = i;
    }
  }
  if (open.length > 0) decline('type');
}

function at_kind(kind) { return at < stop && tokens[at].type === kind; }
function next_kind_is(kind) { return at + 1 < stop && tokens[at + 1].type === kind; }
function take(kind) {
  if (!at_kind(kind)) return false;
  at++;
  return true;
}
function need(kind) { if (!take(kind)) decline('type'); }
function word_here() { return at < stop ? source.slice(tokens[at].start, tokens[at].end) : ''; }
function take_word(expected) {
  if (word_here() !== expected) return false;
  at++;
  return true;
}
function here_begins_line() {
  for (let i = tokens[at - 1].end; i < tokens[at].start; i++) if (is_line_break(source.charCodeAt(i))) return true;
  return false;
}
function at_word() {
  if (at >= stop) return false;
  const token = tokens[at];
  if (token.type !== tt.name && (token.type & tt.IS_KEYWORD) === 0) return false;
  // The parser takes any character beyond ASCII for a letter.
  for (let i = token.start; i < token.end; i++) {
    const code = source.charCodeAt(i);
    if (code > 122 || code === 92) return false;
  }
  const code = source.charCodeAt(token.start);
  return code >= 97 || code >= 65 && code <= 90 || code === 36 || code === 95;
}
function need_word() {
  if (!at_word()) decline('type');
  at++;
}
function need_name() {
  if (!at_word() || reserved.has(word_here())) decline('type');
  at++;
}
function read_list(close, item, trailing_comma) {
  do {
    if (trailing_comma && at_kind(close)) break;
    item();
  } while (take(tt.comma));
  need(close);
}

function read_type() {
  if (++steps > 4 * tokens.length + 1000) decline('too deep');
  if (at_function()) return read_function_type();
  read_union();
  if (in_extends || !at_kind(tt._extends) || here_begins_line()) return;
  at++;
  in_extends = true;
  if (at_function()) read_function_type();
  else read_union();
  in_extends = false;
  need(tt.question);
  read_type();
  need(tt.colon);
  read_type();
}
// What is in brackets is free of what stands around them.
function read_inner_type() {
  const outer = in_extends;
  in_extends = false;
  read_type();
  in_extends = outer;
}

function at_function() {
  if (at_kind(tt.lessThan) || at_kind(tt._new)) return true;
  if (word_here() === 'abstract' && next_kind_is(tt._new)) return true;
  return at_kind(tt.parenL) && matches[at] + 1 < stop && tokens[matches[at] + 1].type === tt.arrow;
}
function read_function_type() {
  const outer = in_extends;
  in_extends = false;
  take_word('abstract');
  take(tt._new);
  if (at_kind(tt.lessThan)) read_type_parameters();
  read_parameters();
  need(tt.arrow);
  read_result_type();
  in_extends = outer;
}
function read_parameters() {
  need(tt.parenL);
  let rest = false;
  read_list(tt.parenR, () => {
    if (rest) decline('type');
    rest = take(tt.ellipsis);
    if (tokens[at - 1].type !== tt.parenL || !take_word('this')) need_name();
    if (!rest) take(tt.question);
    if (take(tt.colon)) read_inner_type();
  }, true);
}
function read_signature() {
  if (at_kind(tt.lessThan)) read_type_parameters();
  read_parameters();
  if (take(tt.colon)) read_result_type();
}
function read_result_type() {
  const from = at;
  if (word_here() === 'asserts' && at + 1 < stop) {
    at++;
    if (word_here() === 'is') decline('type');
    if (at_word() && !here_begins_line() && (at_kind(tt._this) || !reserved.has(word_here()))) {
      at++;
      if (take_word('is')) read_inner_type();
      return;
    }
    at = from;
  }
  if (at_word() && (at_kind(tt._this) || !reserved.has(word_here()))) {
    at++;
    if (word_here() === 'is' && !here_begins_line()) {
      at++;
      read_inner_type();
      return;
    }
    at = from;
  }
  read_type();
}

function read_union() {
  take(tt.bitwiseOR);
  do read_intersection(); while (take(tt.bitwiseOR));
}
function read_intersection() {
  take(tt.bitwiseAND);
  do read_operator(); while (take(tt.bitwiseAND));
}
function read_operator() {
  const text = word_here();
  if ((text === 'keyof' || text === 'unique' || text === 'readonly') && operand_follows()) {
    at++;
    return read_operator();
  }
  if (text === 'infer' && operand_follows()) return read_infer();
  // Here function types need parentheses.
  if (at_function()) decline('type');
  read_postfix();
}
function operand_follows() {
  at++;
  const follows = at < stop && (at_word() && word_here() !== 'extends' && word_here() !== 'is' || at_kind(tt.braceL) ||
    at_kind(tt.bracketL) || at_kind(tt.parenL) || at_kind(tt.string));
  at--;
  return follows;
}
function read_infer() {
  at++;
  need_name();
  if (!at_kind(tt._extends)) return;
  const from = at;
  const outer = in_extends;
  at++;
  in_extends = true;
  read_type();
  in_extends = outer;
  if (!outer && at_kind(tt.question)) at = from;
}
function read_postfix() {
  read_primary();
  while (at_kind(tt.bracketL) && !here_begins_line()) {
    at++;
    if (!at_kind(tt.bracketR)) read_inner_type();
    need(tt.bracketR);
  }
}
function read_primary() {
  if (at >= stop) decline('type');
  switch (tokens[at].type) {
    case tt._void: case tt._null: case tt._true: case tt._false: case tt._this:
      at++;
      return;
    case tt.string: return read_string();
    case tt.num: case tt.bigint: return read_number();
    case tt.minus:
      at++;
      return read_number();
    case tt.backQuote: return read_template();
    case tt.braceL: return at_mapped() ? read_mapped() : read_members();
    case tt.bracketL: return read_tuple();
    case tt.parenL:
      at++;
      read_inner_type();
      need(tt.parenR);
      return;
    case tt._typeof:
      at++;
      if (at_kind(tt._import)) return read_import_type();
      if (!take_word('this')) need_name();
      return read_rest_of_reference();
    case tt._import: return read_import_type();
    default:
      if (keywords.has(word_here())) return at++;
      need_name();
      read_rest_of_reference();
  }
}
function read_string() {
  need(tt.string);
  const { start, end } = tokens[at - 1];
  // Whether an escape is well-formed is not checked here: any is declined.
  for (let i = start; i < end; i++) {
    const code = source.charCodeAt(i);
    if (code === 92 || is_line_break(code)) decline('type');
  }
}
function read_number() {
  if (!take(tt.num)) need(tt.bigint);
  const { start, end } = tokens[at - 1];
  if (source[start] === '0' && end - start > 1) decline('type');
  if (at_word() && tokens[at].start === tokens[at - 1].end) decline('type');
}
function read_rest_of_reference() {
  while (take(tt.dot)) need_word();
  if (at_kind(tt.lessThan) && !here_begins_line()) read_type_arguments();
}
function read_import_type() {
  need(tt._import);
  need(tt.parenL);
  read_string();
  need(tt.parenR);
  read_rest_of_reference();
}
function read_template() {
  need(tt.backQuote);
  need(tt.template);
  while (take(tt.dollarBraceL)) {
    read_inner_type();
    need(tt.braceR);
    need(tt.template);
  }
  need(tt.backQuote);
}
function read_tuple() {
  need(tt.bracketL);
  read_list(tt.bracketR, () => {
    const rest = take(tt.ellipsis);
    if (at_word() && next_kind_is(tt.colon)) {
      at += 2;
    } else if (at_word() && next_kind_is(tt.question) && at + 2 < stop && tokens[at + 2].type === tt.colon) {
      if (rest) decline('type');
      at += 3;
    }
    read_inner_type();
    if (!rest) take(tt.question);
  }, true);
}
function read_type_arguments() {
  need(tt.lessThan);
  read_list(tt.greaterThan, () => read_inner_type(), false);
}
function read_type_parameters() {
  need(tt.lessThan);
  if (at_kind(tt.greaterThan)) decline('type');
  read_list(tt.greaterThan, () => {
    if (at_kind(tt._const) && !next_ends_parameter()) at++;
    if (at_kind(tt._in) && !next_ends_parameter()) at++;
    if (word_here() === 'out' && !next_ends_parameter()) at++;
    if (operators.has(word_here())) decline('type');
    need_name();
    if (take(tt._extends)) read_inner_type();
    if (take(tt.eq)) read_inner_type();
  }, true);
}
function next_ends_parameter() {
  return next_kind_is(tt.comma) || next_kind_is(tt.greaterThan) || next_kind_is(tt._extends) || next_kind_is(tt.eq);
}

function at_mapped() {
  const from = at;
  at++;
  if (at_kind(tt.plus) || at_kind(tt.minus)) at++;
  take_word('readonly');
  const found = at_kind(tt.bracketL) && at + 2 < stop && tokens[at + 2].type === tt._in;
  at = from;
  return found;
}
function read_mapped() {
  need(tt.braceL);
  if (take(tt.plus) || take(tt.minus)) {
    if (!take_word('readonly')) decline('type');
  } else {
    take_word('readonly');
  }
  need(tt.bracketL);
  need_name();
  need(tt._in);
  read_inner_type();
  if (take_word('as')) read_inner_type();
  need(tt.bracketR);
  if (take(tt.plus) || take(tt.minus)) need(tt.question);
  else take(tt.question);
  if (take(tt.colon)) read_inner_type();
  if (!take(tt.semi)) take(tt.comma);
  need(tt.braceR);
}
function read_members() {
  need(tt.braceL);
  while (!take(tt.braceR)) {
    read_member();
    if (!take(tt.semi) && !take(tt.comma) && !at_kind(tt.braceR) && !here_begins_line()) decline('type');
  }
}
function read_member() {
  if (at_kind(tt.parenL) || at_kind(tt.lessThan)) return read_signature();
  if (at_kind(tt._new) && (next_kind_is(tt.parenL) || next_kind_is(tt.lessThan))) {
    at++;
    return read_signature();
  }
  const is_readonly = word_here() === 'readonly' && next_is_key();
  if (is_readonly) at++;
  if (at_kind(tt.bracketL) && next_kind_is(tt.name) && tokens[at + 2].type === tt.colon) return read_index_signature();
  if (take_accessor()) return;
  read_key();
  take(tt.question);
  if (!is_readonly && (at_kind(tt.parenL) || at_kind(tt.lessThan))) return read_signature();
  if (take(tt.colon)) read_inner_type();
}
// `get a(): T`, `set a(value: T)`
function take_accessor() {
  const is_getter = word_here() === 'get';
  if (!is_getter && word_here() !== 'set' || !next_is_key()) return false;
  at++;
  read_key();
  if (is_getter && !next_kind_is(tt.parenR)) decline('type');
  read_parameters();
  if (take(tt.colon)) read_result_type();
  return true;
}
// Is the word here a modifier, and not itself the name?
function next_is_key() {
  at++;
  const found = at < stop && !here_begins_line() && (at_word() || at_kind(tt.string) || at_kind(tt.num) ||
    at_kind(tt.bracketL) || at_kind(tt.hash));
  at--;
  return found;
}
function read_key() {
  if (take(tt.bracketL)) {
    if (at_kind(tt.string)) read_string();
    else if (!take(tt.num)) need_name();
    while (take(tt.dot)) need_word();
    need(tt.bracketR);
  } else if (at_kind(tt.string)) {
    read_string();
  } else if (!take(tt.num)) {
    take(tt.hash);
    need_word();
  }
}
function read_index_signature() {
  need(tt.bracketL);
  need_name();
  need(tt.colon);
  read_inner_type();
  need(tt.bracketR);
  need(tt.colon);
  read_inner_type();
}
function read_references() {
  do {
    need_name();
    read_rest_of_reference();
  } while (take(tt.comma));
}

function read_declaration() {
  if (take_word('declare')) {
    if (at_kind(tt._const) || at_kind(tt._let) || at_kind(tt._var)) return read_variables();
    if (at_kind(tt._function)) return read_bodiless_function();
  }
  if (take_word('interface')) {
    need_name();
    if (at_kind(tt.lessThan)) read_type_parameters();
    if (take(tt._extends)) read_references();
    read_members();
  } else if (take_word('type')) {
    need_name();
    if (at_kind(tt.lessThan)) read_type_parameters();
    need(tt.eq);
    read_type();
    take(tt.semi);
  } else {
    decline('declaration');
  }
}
function read_variables() {
  at++;
  do {
    need_name();
    if (take(tt.colon)) read_inner_type();
  } while (take(tt.comma));
  take(tt.semi);
}
function read_bodiless_function() {
  need(tt._function);
  need_name();
  read_signature();
  take(tt.semi);
}
