// Types become spaces, character for character as amaro's strip-only mode has it, for everything that agents usually
// write. What needs more than spaces, what is an error and what is in doubt is left to amaro, which knows all of
// TypeScript but takes long to load. This runs before guest code does, and for one program at a time.

// amaro does not mind a line break after some of these, and not all of them are names to it.
const declaring_words = new Set([ContextualKeyword._declare, ContextualKeyword._abstract, ContextualKeyword._interface,
  ContextualKeyword._namespace, ContextualKeyword._module, ContextualKeyword._enum, ContextualKeyword._public,
  ContextualKeyword._private, ContextualKeyword._protected, ContextualKeyword._override, ContextualKeyword._readonly,
  ContextualKeyword._static]);

// After a field of such a name amaro writes a semicolon.
const accessor_words = new Set(['get', 'set', 'static']);
const precedence = (token) => token.type & tt.PRECEDENCE_MASK;
const class_modifiers = new Set([tt._public, tt._private, tt._protected, tt._readonly, tt._override,
  tt._static, tt._declare, tt._abstract]);
// Modifiers in the order in which they must stand; the first three exclude each other.
const rank_of_modifier = new Map([[tt._public, 0], [tt._private, 0], [tt._protected, 0], [tt._static, 1],
  [tt._override, 2], [tt._readonly, 3]]);
const follows_type_arguments = new Set([tt.parenL, tt.semi, tt.parenR, tt.comma, tt.bracketR, tt.braceL,
  tt.braceR, tt._extends, tt._implements, tt.backQuote]);
// What follows these must begin on their line.
const needs_its_operand = new Set([tt._return, tt._throw, tt._yield, tt.star]);
const continues_last_line = new Set([tt.parenL, tt.bracketL, tt.backQuote, tt.plus, tt.minus, tt.slash, tt.regexp]);

const is_keyword = (token) => (token.type & tt.IS_KEYWORD) !== 0;
const is_word = (token) => token.type === tt.name || is_keyword(token);
const starts_operand = (token) => is_word(token) || literals.has(token.type) || token.type === tt.braceL;
const starts_member = (token) => starts_operand(token) || token.type === tt.bracketL || token.type === tt.star ||
  token.type === tt.hash;
const closes = (token) => token.type === tt.parenR || token.type === tt.bracketR || token.type === tt.braceR ||
  token.type === tt.string || token.type === tt.backQuote || token.type === tt.nonNullAssertion;
const literals = new Set([tt.string, tt.num, tt.bigint]);

// Of the program at hand.
let source = '', tokens = [];
let spans = [];         // from, to, from, to, ...
let overwrites = [];    // { at, character }
let open = [];          // indices of brackets that are not closed yet
let questions = [];     // for each of them, how many conditional expressions around it wait for their colon
let waiting = 0;        // and how many wait here
let classes = [];       // the braces of the classes around
let abstract_classes = new Map();  // for the mark of each class: is it abstract?
let last_opening = -1;  // where the bracket opened that was closed last
let has_escapes = false;

const begin = (text, parsed) => {
  source = text;
  tokens = parsed;
  spans = []; overwrites = []; open = []; questions = []; classes = []; matches = [];
  abstract_classes = new Map();
  steps = 0;
  waiting = 0;
  last_opening = -1;
  has_escapes = source.includes('\\u');
};

function text_of(index) { return source.slice(tokens[index].start, tokens[index].end); }

function has_break(from, to) {
  for (let i = from; i < to; i++) {
    if (is_line_break(source.charCodeAt(i))) return true;
  }
  return false;
}

// Between two tokens there is white space or a comment.
function has_comment_before(index) {
  const to = tokens[index].start;
  for (let i = tokens[index - 1].end; i < to; i++) {
    if (source.charCodeAt(i) === 47) return true;
  }
  return false;
}

function begins_line(index) { return has_break(tokens[index - 1].end, tokens[index].start); }

function blank(from, to) { spans.push(from, to); }
function blank_tokens(first, end) { blank(tokens[first].start, tokens[end - 1].end); }

function find_types() {
  for (let i = 0; i < tokens.length;) {
    const token = tokens[i];
    if (token.refused) decline('refused');
    i = token.isType ? take_type(i) : take_code(i);
  }
}

// Each returns the index of the token to continue with.
function take_code(i) {
  const token = tokens[i];
  switch (token.type) {
    case tt.name:
      check_name(i);
      check_declaring_word(i);
      return i + 1;
    case tt.parenL: case tt.bracketL: case tt.braceL: case tt.dollarBraceL:
      enter(i);
      return i + 1;
    case tt.parenR: case tt.bracketR: case tt.braceR:
      leave(i);
      return i + 1;
    case tt.question:
      waiting++;
      return i + 1;
    case tt.colon:
      if (waiting > 0) waiting--;
      return i + 1;
    case tt.eq:
      // V8 finds that out when it runs.
      if (tokens[i - 1].type === tt.parenR) decline('assignment to a call');
      return i + 1;
    case tt.greaterThan:
      // `a < b > {}`
      if (tokens[i + 1].type === tt.braceL) decline('comparison with an object');
      return i + 1;
    case tt.nonNullAssertion:
      blank_tokens(i, i + 1);
      return i + 1;
    case tt._enum: case tt._export: case tt.at: case tt.typeParameterStart:
      return decline('rewrite');
    case tt._class:
      abstract_classes.set(token.contextId, tokens[i - 1].type === tt._abstract);
      return i + 1;
    case tt._import:
      if (tokens[i + 1].type !== tt.parenL) decline('module');
      return i + 1;
    case tt._abstract:
      if (tokens[i + 1].type === tt._class) {
        blank_tokens(i, i + 1);
        return i + 1;
      }
      return take_modifiers(i);
    case tt._public: case tt._private: case tt._protected: case tt._readonly: case tt._override:
    case tt._static: case tt._declare:
      return take_modifiers(i);
    default:
      return i + 1;
  }
}

function check_declaring_word(i) {
  const { contextualKeyword } = tokens[i];
  const next = tokens[i + 1];
  if (tokens[i - 1].type === tt.dot || tokens[i - 1].type === tt.questionDot) return;
  if (declaring_words.has(contextualKeyword) && begins_line(i + 1) && is_word(next)) decline('line break after a word');
  if (contextualKeyword === ContextualKeyword._type && (next.type & tt.IS_KEYWORD)) decline('a name that is a word');
}

function enter(i) {
  open.push(i);
  questions.push(waiting);
  waiting = 0;
  // The braces of a class carry the mark of its keyword.
  if (tokens[i].type === tt.braceL && abstract_classes.has(tokens[i].contextId)) classes.push(i);
}

function leave(i) {
  if (open.length === 0) decline('brackets');
  const next = tokens[i + 1];
  if (open[open.length - 1] === i - 1 && next !== undefined && (next.isType || next.type === tt.braceL) &&
      has_comment_before(i)) decline('comment instead of parameters');
  last_opening = open.pop();
  if (tokens[last_opening].has_this && next !== undefined) {
    const after_result = next.isType ? tokens[next.region_end] : next;
    if (after_result.type === tt.arrow) decline('this parameter of an arrow');
  }
  waiting = questions.pop();
  if (classes.length > 0 && classes[classes.length - 1] === last_opening) classes.pop();
}

function in_abstract_class() {
  return classes.length > 0 && abstract_classes.get(tokens[classes[classes.length - 1]].contextId);
}

function take_modifiers(i) {
  let end = i, rank = -1, whole_member = false, is_static = false;
  for (; class_modifiers.has(tokens[end].type); end++) {
    const token = tokens[end];
    if (token.isType) decline('modifiers of an index signature');
    if (begins_line(end + 1)) decline('line break after a modifier');
    if (token.type === tt._declare || token.type === tt._abstract) {
      if (token.type === tt._abstract && !in_abstract_class()) decline('abstract member');
      whole_member = true;
      continue;
    }
    const next_rank = rank_of_modifier.get(token.type);
    if (next_rank <= rank) decline('order of modifiers');
    rank = next_rank;
    is_static ||= token.type === tt._static;
  }
  if (whole_member) return take_field_without_code(i, end);
  let key = end;
  if (!starts_member(tokens[key])) decline('member');
  if (end === i + 1 && is_static) return end;
  if (tokens[key].type === tt._async || tokens[key].type === tt._get || tokens[key].type === tt._set) key++;
  // Here amaro writes a semicolon.
  if (!is_static && (tokens[key].type === tt.bracketL || tokens[key].type === tt.star || text_of(key) === 'in' ||
      text_of(key) === 'instanceof')) decline('modifier before a computed name');
  const is_field = !is_method(key);
  for (let at = i; at < end; at++) {
    const modifier = tokens[at].type;
    if (modifier === tt._static) continue;
    if (modifier === tt._readonly && !is_field) decline('readonly method');
    blank_tokens(at, at + 1);
  }
  return end;
}

function is_method(key) {
  if (tokens[key].type === tt.bracketL) decline('computed name');
  let next = tokens[key].type === tt.hash ? key + 2 : key + 1;
  while (next < tokens.length && tokens[next].isType) next = tokens[next].region_end ?? next + 1;
  return tokens[next].type === tt.parenL;
}

// `declare x: T;` and `abstract x: T;`
function take_field_without_code(first, key) {
  let next = key;
  if (tokens[next].type !== tt.name && tokens[next].type !== tt.string) decline('name of a field');
  next++;
  while (tokens[next].isType) {
    const { type: kind } = tokens[next];
    if (kind !== tt.colon && kind !== tt.question && kind !== tt.bang) decline('field');
    if (kind === tt.colon) check_annotation(next, tokens[next].region_end);
    next = tokens[next].region_end ?? next + 1;
  }
  if (tokens[next].type === tt.semi) {
    next++;
  } else if (tokens[next].type !== tt.braceR && !begins_line(next)) {
    decline('end of a field');
  }
  blank_tokens(first, next);
  return next;
}

function take_type(i) {
  const token = tokens[i];
  if (token.region_end === undefined) return take_single(i);
  const end = token.region_end;
  if (token.bodiless) return take_bodiless(i, end);
  switch (token.type) {
    case tt.colon:
      return take_annotation(i, i, end);
    case tt.question: case tt.bang:
      blank_tokens(i, i + 1);
      return end === i + 1 ? after_mark(i) : take_annotation(i, i + 1, end);
    case tt.lessThan:
      return take_angles(i, end);
    case tt._implements:
      check_heritage(i, end);
      blank_tokens(i, end);
      return end;
    case tt._this:
      return take_this_parameter(i, end);
    case tt.bracketL:
      check_index_signature(i, end);
      blank_tokens(i, end);
      return end;
    default:
  }
  switch (token.contextualKeyword) {
    case ContextualKeyword._as: case ContextualKeyword._satisfies:
      return take_cast(i, end);
    case ContextualKeyword._interface: case ContextualKeyword._type: case ContextualKeyword._declare:
      check_declaration(i, end);
      return take_declaration(i, end);
    default:
      return decline('unknown type');
  }
}

function take_single(i) {
  if (tokens[i].type === tt.bang) {
    blank_tokens(i, i + 1);
    return i + 1;
  }
  // The modifiers of an index signature.
  let signature = i;
  while (class_modifiers.has(tokens[signature].type)) signature++;
  const { type: kind, region_end: end } = tokens[signature];
  if (kind !== tt.bracketL || end === undefined) decline('unknown type token');
  check_index_signature(signature, end);
  blank_tokens(i, end);
  return end;
}

function after_mark(i) {
  check_mark(i);
  if (tokens[i + 1].type === tt.eq) decline('mark before a value');
  return i + 1;
}

function check_mark(i) {
  if (tokens[i - 2].type === tt.ellipsis) decline('optional rest parameter');
}

// `mark` is `?`, `!` or the colon itself.
function take_annotation(mark, colon, end) {
  const next = tokens[end];
  if (mark !== colon) check_mark(mark);
  if (next.type === tt.arrow) {
    take_arrow_result(colon, end);
  } else {
    if (next.type === tt._in || next.contextualKeyword === ContextualKeyword._of) decline('annotation in a loop');
    const name = tokens[mark - 1].isType ? mark - 2 : mark - 1;
    if (accessor_words.has(text_of(name))) decline('field named get, set or static');
    if (tokens[name].type === tt.parenR && text_of(last_opening - 1) === 'constructor') decline('result of a constructor');
    if (tokens[mark].type !== tt.colon && next.type === tt.eq) decline('mark before a value');
  }
  check_annotation(colon, end);
  blank_tokens(colon, end);
  return end;
}

// `=>` must stand on the line of its parenthesis.
function take_arrow_result(colon, end) {
  const close = tokens[colon - 1];
  if (close.type !== tt.parenR) decline('result of an arrow');
  if (questions.length > 0 && waiting > 0) decline('arrow in a conditional expression');
  if (!has_break(close.start, tokens[end].start)) return;
  const last = tokens[end - 1].end - 1;
  if (source.charCodeAt(last) > 127) decline('result of an arrow');
  blank(close.start, close.end);
  overwrites.push({ at: last, character: ')' });
}

function take_angles(i, region_end) {
  let end = region_end;
  // The bracket that closes type arguments is outside the region.
  if (tokens[end - 1].type !== tt.greaterThan || (tokens[end].isType && tokens[end].type === tt.greaterThan &&
      tokens[end].region_end === undefined)) end++;
  const last = tokens[end - 1], next = tokens[end];
  if (last.type !== tt.greaterThan || !last.isType || last.end - last.start !== 1) decline('angle brackets');
  if (has_comment_before(i)) decline('comment before type arguments');
  if (text_of(i - 2) === 'get' || text_of(i - 2) === 'set') decline('type parameters of an accessor');
  if (tokens[i + 1].type === tt.lessThan && next.type !== tt.parenL) decline('function type as an argument');
  check_angles(i, end);
  if (!follows_type_arguments.has(next.type) && !(is_word(next) && precedence(next) === 0 && begins_line(end))) {
    decline('what follows type arguments');
  }
  if (has_break(tokens[i].start, next.start)) {
    const { type: before, contextualKeyword } = tokens[i - 1];
    if (needs_its_operand.has(before) || contextualKeyword === ContextualKeyword._async || next.type === tt.backQuote) {
      decline('line break in angle brackets');
    }
  }
  blank_tokens(i, end);
  return end;
}

function take_this_parameter(i, region_end) {
  let end = region_end;
  if (tokens[i - 1].type !== tt.parenL) decline('this');
  if (tokens[end].isType && tokens[end].type === tt.colon) {
    check_annotation(end, tokens[end].region_end);
    end = tokens[end].region_end;
  }
  if (tokens[end].type === tt.comma && tokens[end].isType) end++;
  else if (tokens[end].type !== tt.parenR) decline('this');
  for (let at = i; at < end; at++) {
    if (has_comment_before(at)) decline('comment in a this parameter');
  }
  tokens[i - 1].has_this = true;
  blank_tokens(i, end);
  return end;
}

function take_cast(i, end) {
  const next = tokens[end];
  if (precedence(next) > (tt._in & tt.PRECEDENCE_MASK)) decline('grouping of operators');
  if (next.type & tt.IS_ASSIGN) decline('assignment to a cast');
  if (source[next.start] === '<') decline('comparison with a cast');
  if (tokens[i - 1].end === tokens[i].start && !closes(tokens[i - 1])) decline('cast without a space');
  if (continues_last_line.has(next.type) && begins_line(end)) decline('end of a statement');
  if (declaring_words.has(tokens[i - 1].contextualKeyword)) decline('cast of a name that is a word');
  if (tokens[i - 1].type === tt.braceR && tokens[last_opening - 1].type === tt.arrow) decline('cast of an arrow');
  check_cast(i, end);
  blank(tokens[i - 1].end, tokens[end - 1].end);
  return end;
}

function take_bodiless(i, end) {
  if (tokens[i].bodiless === 'misplaced') decline('function without a body');
  if (tokens[i].bodiless === 'statement') {
    check_bodiless_function(i, end);
    return take_declaration(i, end);
  }
  check_bodiless_method(i, end);
  for (let at = i; class_modifiers.has(tokens[at].type); at++) {
    if (tokens[at].type === tt._abstract && !in_abstract_class()) decline('abstract member');
  }
  blank_tokens(i, end);
  return end;
}

function take_declaration(i, end) {
  const before = tokens[i - 1];
  const head = before.type === tt.parenR && last_opening > 0 ? tokens[last_opening - 1] : before;
  if (before.type === tt._else || before.type === tt._do || before.type === tt.colon ||
      before !== head && (is_keyword(head) || head.contextualKeyword === ContextualKeyword._await)) {
    decline('declaration as a branch');
  }
  blank_tokens(i, end);
  const next = tokens[end];
  if (continues_last_line.has(next.type) && begins_line(end)) {
    if (next.type === tt.backQuote || next.type === tt.slash || next.type === tt.regexp) decline('end of a statement');
    overwrites.push({ at: (before.type === tt.semi ? before : tokens[i]).start, character: ';' });
  }
  return end;
}

// The parser takes any token for a name where one must stand, and any character beyond ASCII for a letter. V8 sees what
// stays, but not what goes.
function check_name(i) {
  const { start, isType } = tokens[i];
  const code = source.charCodeAt(start);
  const is_letter = code >= 97 && code <= 122 || code >= 65 && code <= 90 || code === 36 || code === 95;
  if (!is_letter && !(code > 127 && !isType)) decline('name');
  if (has_escapes && text_of(i).includes('\\')) decline('name');
}

function blanked_text() {
  let text = '', from = 0;
  for (let i = 0; i < spans.length; i += 2) {
    if (spans[i] < from) decline('overlap');
    text += source.slice(from, spans[i]) + source.slice(spans[i], spans[i + 1]).replace(/\S/g, ' ');
    from = spans[i + 1];
  }
  text += source.slice(from);
  if (overwrites.length === 0) return text;
  let result = '';
  from = 0;
  for (const { at: position, character } of overwrites.sort((a, b) => a.at - b.at)) {
    if (position < from) continue;
    result += text.slice(from, position) + character;
    from = position + 1;
  }
  return result + text.slice(from);
}

// { text }, or { reason } why not.
const try_blanking = (text) => {
  // amaro's text is UTF-8, which has no halves of characters.
  if (!text.isWellFormed()) return { reason: 'malformed text' };
  const parsed = parse_types(text);
  if (parsed === undefined) return { reason: 'syntax' };
  if (parsed === null) return { reason: 'too deep' };
  try {
    begin(text, parsed);
    find_types();
    return { text: blanked_text() };
  } catch (error) {
    return { reason: error instanceof Declined ? error.reason : 'too deep' };
  } finally {
    begin('', []);
  }
};

// The code without types; null if it is for amaro to say, undefined if the parser sees a syntax error.
const blank_types = (text) => {
  const { text: blanked, reason } = try_blanking(text);
  return reason === undefined ? blanked : reason === 'syntax' ? undefined : null;
};

host.internal.try_blanking = try_blanking;
host.functions.blank_types = blank_types;
