'use strict';
// Types become spaces, character for character as amaro's strip-only mode has it, for everything that agents usually write.
// What needs more than spaces, what is an error and what is in doubt is left to amaro, which knows all of TypeScript but
// takes long to load.

const { Declined, TypeGrammar, decline, parse_types, type_parser } = host.internal;
const { TokenType: type } = type_parser('parser/tokenizer/types');
const { ContextualKeyword: word } = type_parser('parser/tokenizer/keywords');

// amaro does not mind a line break after some of these.
const declaring_words = new Set([word._declare, word._abstract, word._interface, word._namespace, word._module, word._enum]);

const is_line_break = (code) => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
const precedence = (token) => token.type & type.PRECEDENCE_MASK;
const class_modifiers = new Set([type._public, type._private, type._protected, type._readonly, type._override,
  type._static, type._declare, type._abstract]);
// Modifiers in the order in which they must stand; the first three exclude each other.
const rank_of_modifier = new Map([[type._public, 0], [type._private, 0], [type._protected, 0], [type._static, 1],
  [type._override, 2], [type._readonly, 3]]);
const follows_type_arguments = new Set([type.parenL, type.semi, type.parenR, type.comma, type.bracketR, type.braceL,
  type.braceR, type._extends, type._implements, type.backQuote]);
const continues_last_line = new Set([type.parenL, type.bracketL, type.backQuote, type.plus, type.minus, type.slash, type.regexp]);

const is_word = (token) => token.type === type.name || (token.type & type.IS_KEYWORD) !== 0;
const starts_operand = (token) => is_word(token) || literals.has(token.type) || token.type === type.braceL;
const starts_member = (token) => starts_operand(token) || token.type === type.bracketL || token.type === type.star ||
  token.type === type.hash;
const closes = (token) => token.type === type.parenR || token.type === type.bracketR || token.type === type.braceR ||
  token.type === type.string || token.type === type.backQuote || token.type === type.nonNullAssertion;
const literals = new Set([type.string, type.num, type.bigint]);

class Blanking {
  constructor(source, tokens) {
    this.source = source;
    this.tokens = tokens;
    this.grammar = new TypeGrammar(source, tokens);
    this.spans = [];       // from, to, from, to, ...
    this.overwrites = [];  // position, character, ...
    this.open = [];        // indices of brackets that are not closed yet
    this.classes = [];     // the braces of the classes around
    this.has_escapes = source.includes('\\u');
    this.last_opening = -1;  // where the bracket opened that was closed last
    this.questions = [];     // for each bracket in `open`, conditional expressions that wait for their colon
    this.waiting = 0;
  }

  text(index) { return this.source.slice(this.tokens[index].start, this.tokens[index].end); }

  has_break(from, to) {
    for (let i = from; i < to; i++) {
      if (is_line_break(this.source.charCodeAt(i))) return true;
    }
    return false;
  }

  // Between two tokens there is white space or a comment.
  has_comment_before(index) {
    const to = this.tokens[index].start;
    for (let i = this.tokens[index - 1].end; i < to; i++) {
      if (this.source.charCodeAt(i) === 47) return true;
    }
    return false;
  }

  begins_line(index) { return this.has_break(this.tokens[index - 1].end, this.tokens[index].start); }

  blank(from, to) { this.spans.push(from, to); }
  blank_tokens(first, end) { this.blank(this.tokens[first].start, this.tokens[end - 1].end); }

  find() {
    const { tokens } = this;
    for (let i = 0; i < tokens.length;) {
      const token = tokens[i];
      if (token.refused) decline('refused');
      i = token.isType ? this.take_type(i) : this.take_code(i);
    }
  }

  // Each returns the index of the token to go on with.
  take_code(i) {
    const { tokens } = this;
    const token = tokens[i];
    switch (token.type) {
      case type.name:
        this.check_name(i);
        if (declaring_words.has(token.contextualKeyword) && this.begins_line(i + 1) && is_word(tokens[i + 1])) decline('line break after a word');
        if (token.contextualKeyword === word._type && (tokens[i + 1].type & type.IS_KEYWORD)) decline('a name that is a word');
        return i + 1;
      case type.parenL: case type.bracketL: case type.braceL: case type.dollarBraceL:
        this.enter(i);
        return i + 1;
      case type.parenR: case type.bracketR: case type.braceR:
        this.leave(i);
        return i + 1;
      case type.question:
        this.waiting++;
        return i + 1;
      case type.colon:
        if (this.waiting > 0) this.waiting--;
        return i + 1;
      case type.eq:
        // V8 finds that out when it runs.
        if (tokens[i - 1].type === type.parenR) decline('assignment to a call');
        return i + 1;
      case type.nonNullAssertion:
        this.blank_tokens(i, i + 1);
        return i + 1;
      case type._enum: case type._export: case type.at: case type.typeParameterStart:
        return decline('rewrite');
      case type._import:
        if (tokens[i + 1].type !== type.parenL) decline('module');
        return i + 1;
      case type._abstract:
        if (tokens[i + 1].type === type._class) {
          this.blank_tokens(i, i + 1);
          return i + 1;
        }
        return this.take_modifiers(i);
      case type._public: case type._private: case type._protected: case type._readonly: case type._override:
      case type._static: case type._declare:
        return this.take_modifiers(i);
      default:
        return i + 1;
    }
  }

  enter(i) {
    const { tokens } = this;
    this.open.push(i);
    this.questions.push(this.waiting);
    this.waiting = 0;
    // The braces of a class carry the mark of its keyword.
    const token = tokens[i];
    if (token.type !== type.braceL || !token.contextId) return;
    let from = i - 1;
    while (from >= 0 && tokens[from].contextId !== token.contextId) from--;
    if (from < 0 || tokens[from].type !== type._class) return;
    this.classes.push(i);
    token.of_abstract_class = from > 0 && tokens[from - 1].type === type._abstract;
  }

  leave(i) {
    if (this.open.length === 0) decline('brackets');
    const next = this.tokens[i + 1];
    if (this.open[this.open.length - 1] === i - 1 && next !== undefined && (next.isType || next.type === type.braceL) &&
        this.has_comment_before(i)) decline('comment instead of parameters');
    this.last_opening = this.open.pop();
    this.waiting = this.questions.pop();
    if (this.classes.length > 0 && this.classes[this.classes.length - 1] === this.last_opening) this.classes.pop();
  }

  in_abstract_class() {
    return this.classes.length > 0 && this.tokens[this.classes[this.classes.length - 1]].of_abstract_class;
  }

  take_modifiers(i) {
    const { tokens } = this;
    let end = i, rank = -1, whole_member = false, is_static = false;
    for (; class_modifiers.has(tokens[end].type); end++) {
      const token = tokens[end];
      if (token.isType) decline('modifiers of an index signature');
      if (token.type === type._declare || token.type === type._abstract) {
        if (token.type === type._abstract && !this.in_abstract_class()) decline('abstract member');
        whole_member = true;
        continue;
      }
      const next_rank = rank_of_modifier.get(token.type);
      if (next_rank <= rank) decline('order of modifiers');
      rank = next_rank;
      is_static ||= token.type === type._static;
    }
    if (whole_member) return this.take_field_without_code(i, end);
    let key = end;
    if (!starts_member(tokens[key])) decline('member');
    if (end === i + 1 && is_static) return end;
    if (tokens[key].type === type._async || tokens[key].type === type._get || tokens[key].type === type._set) key++;
    // Here amaro writes a semicolon.
    if (!is_static && (tokens[key].type === type.bracketL || tokens[key].type === type.star || this.text(key) === 'in' ||
        this.text(key) === 'instanceof')) decline('modifier before a computed name');
    const is_field = !this.is_method(key);
    for (let at = i; at < end; at++) {
      const modifier = tokens[at].type;
      if (modifier === type._static) continue;
      if (modifier === type._readonly && !is_field) decline('readonly method');
      this.blank_tokens(at, at + 1);
    }
    return end;
  }

  is_method(key) {
    const { tokens } = this;
    if (tokens[key].type === type.bracketL) decline('computed name');
    let next = tokens[key].type === type.hash ? key + 2 : key + 1;
    while (next < tokens.length && tokens[next].isType) next = tokens[next].region_end ?? next + 1;
    return tokens[next].type === type.parenL;
  }

  // `declare x: T;` and `abstract x: T;`
  take_field_without_code(first, key) {
    const { tokens } = this;
    let next = key;
    if (tokens[next].type !== type.name && tokens[next].type !== type.string) decline('name of a field');
    next++;
    while (tokens[next].isType) {
      const { type: kind } = tokens[next];
      if (kind !== type.colon && kind !== type.question && kind !== type.bang) decline('field');
      if (kind === type.colon) this.grammar.annotation(next, tokens[next].region_end);
      next = tokens[next].region_end ?? next + 1;
    }
    if (tokens[next].type === type.semi) {
      next++;
    } else if (tokens[next].type !== type.braceR && !this.begins_line(next)) {
      decline('end of a field');
    }
    this.blank_tokens(first, next);
    return next;
  }

  take_type(i) {
    const { tokens } = this;
    const token = tokens[i];
    if (token.region_end === undefined) return this.take_single(i);
    const end = token.region_end;
    if (token.bodiless) return this.take_bodiless(i, end);
    switch (token.type) {
      case type.colon:
        return this.take_annotation(i, i, end);
      case type.question: case type.bang:
        this.blank_tokens(i, i + 1);
        return end === i + 1 ? this.after_mark(i) : this.take_annotation(i, i + 1, end);
      case type.lessThan:
        return this.take_angles(i, end);
      case type._implements:
        this.grammar.heritage(i, end);
        this.blank_tokens(i, end);
        return end;
      case type._this:
        return this.take_this_parameter(i, end);
      case type.bracketL:
        this.grammar.index_signature(i, end);
        this.blank_tokens(i, end);
        return end;
      default:
    }
    switch (token.contextualKeyword) {
      case word._as: case word._satisfies:
        return this.take_cast(i, end);
      case word._interface: case word._type: case word._declare:
        this.grammar.declaration(i, end);
        return this.take_declaration(i, end);
      default:
        return decline('unknown type');
    }
  }

  take_single(i) {
    const { tokens } = this;
    if (tokens[i].type === type.bang) {
      this.blank_tokens(i, i + 1);
      return i + 1;
    }
    // The modifiers of an index signature.
    let signature = i;
    while (class_modifiers.has(tokens[signature].type)) signature++;
    if (tokens[signature].type !== type.bracketL || tokens[signature].region_end === undefined) decline('unknown type token');
    this.grammar.index_signature(signature, tokens[signature].region_end);
    this.blank_tokens(i, tokens[signature].region_end);
    return tokens[signature].region_end;
  }

  after_mark(i) {
    this.check_mark(i);
    if (this.tokens[i + 1].type === type.eq) decline('mark before a value');
    return i + 1;
  }

  check_mark(i) {
    if (this.tokens[i - 2].type === type.ellipsis) decline('optional rest parameter');
  }

  // `mark` is `?`, `!` or the colon itself.
  take_annotation(mark, colon, end) {
    const { tokens } = this;
    const next = tokens[end];
    const before = tokens[mark - 1];
    if (mark !== colon) this.check_mark(mark);
    if (next.type === type.arrow) {
      this.take_arrow_result(colon, end);
    } else {
      if (next.type === type._in || next.contextualKeyword === word._of) decline('annotation in a loop');
      if (before.type === type.name && (before.contextualKeyword === word._get || before.contextualKeyword === word._set ||
          before.contextualKeyword === word._static)) decline('field named get, set or static');
      if (tokens[mark].type !== type.colon && next.type === type.eq) decline('mark before a value');
    }
    this.grammar.annotation(colon, end);
    this.blank_tokens(colon, end);
    return end;
  }

  // `=>` must stand on the line of its parenthesis.
  take_arrow_result(colon, end) {
    const { tokens } = this;
    const close = tokens[colon - 1];
    if (close.type !== type.parenR) decline('result of an arrow');
    if (this.questions.length > 0 && this.waiting > 0) decline('arrow in a conditional expression');
    if (!this.has_break(close.start, tokens[end].start)) return;
    const last = tokens[end - 1].end - 1;
    if (this.source.charCodeAt(last) > 127) decline('result of an arrow');
    this.blank(close.start, close.end);
    this.overwrites.push(last, ')');
  }

  take_angles(i, region_end) {
    const { tokens } = this;
    let end = region_end;
    // The bracket that closes type arguments lies outside the region.
    if (tokens[end - 1].type !== type.greaterThan || (tokens[end].isType && tokens[end].type === type.greaterThan &&
        tokens[end].region_end === undefined)) end++;
    const last = tokens[end - 1], next = tokens[end];
    if (last.type !== type.greaterThan || !last.isType || last.end - last.start !== 1) decline('angle brackets');
    if (this.has_comment_before(i)) decline('comment before type arguments');
    this.grammar.angles(i, end);
    if (!follows_type_arguments.has(next.type) && !(is_word(next) && precedence(next) === 0 && this.begins_line(end))) {
      decline('what follows type arguments');
    }
    const breaks = this.has_break(tokens[i].start, next.start);
    if (breaks) {
      const before = tokens[i - 1];
      if (before.type === type._return || before.type === type._throw || before.type === type._yield ||
          before.type === type.star || before.contextualKeyword === word._async) decline('line break in type parameters');
      if (next.type === type.backQuote) decline('line break in type arguments');
    }
    this.blank_tokens(i, end);
    return end;
  }

  take_this_parameter(i, region_end) {
    const { tokens } = this;
    let end = region_end;
    if (tokens[i - 1].type !== type.parenL) decline('this');
    if (tokens[end].isType && tokens[end].type === type.colon) {
      this.grammar.annotation(end, tokens[end].region_end);
      end = tokens[end].region_end;
    }
    if (tokens[end].type === type.comma && tokens[end].isType) end++;
    else if (tokens[end].type !== type.parenR) decline('this');
    for (let at = i; at < end; at++) {
      if (this.has_comment_before(at)) decline('comment in a this parameter');
    }
    this.blank_tokens(i, end);
    return end;
  }

  take_cast(i, end) {
    const { tokens } = this;
    const next = tokens[end];
    if (precedence(next) > (type._in & type.PRECEDENCE_MASK)) decline('grouping of operators');
    if (next.type & type.IS_ASSIGN) decline('assignment to a cast');
    if (this.source[next.start] === '<') decline('comparison with a cast');
    if (tokens[i - 1].end === tokens[i].start && !closes(tokens[i - 1])) decline('cast without a space');
    if (continues_last_line.has(next.type) && this.begins_line(end)) decline('end of a statement');
    this.grammar.cast(i, end);
    this.blank(tokens[i - 1].end, tokens[end - 1].end);
    return end;
  }

  take_bodiless(i, end) {
    const { tokens } = this;
    if (tokens[i].bodiless === 'misplaced') decline('function without a body');
    if (tokens[i].bodiless === 'statement') {
      if (tokens[i].type !== type._function && tokens[i].contextualKeyword !== word._async) decline('function without a body');
      this.grammar.bodiless_function(i, end);
      return this.take_declaration(i, end);
    }
    this.grammar.bodiless_method(i, end);
    for (let at = i; class_modifiers.has(tokens[at].type); at++) {
      if (tokens[at].type === type._abstract && !this.in_abstract_class()) decline('abstract member');
    }
    this.blank_tokens(i, end);
    return end;
  }

  take_declaration(i, end) {
    const { tokens } = this;
    const before = tokens[i - 1];
    if (before.type === type._else || before.type === type._do || before.type === type.colon) decline('declaration as a branch');
    if (before.type === type.parenR && this.last_opening > 0) {
      const head = tokens[this.last_opening - 1];
      if (head.type & type.IS_KEYWORD || head.contextualKeyword === word._await) decline('declaration as a branch');
    }
    this.blank_tokens(i, end);
    const next = tokens[end];
    if (continues_last_line.has(next.type) && this.begins_line(end)) {
      if (next.type === type.backQuote || next.type === type.slash || next.type === type.regexp) decline('end of a statement');
      this.overwrites.push(before.type === type.semi ? before.start : tokens[i].start, ';');
    }
    return end;
  }

  // The parser takes any token for a name where one must stand, and any character beyond ASCII for a letter. V8 sees what
  // stays, but not what goes.
  check_name(i) {
    const { start, isType } = this.tokens[i];
    const code = this.source.charCodeAt(start);
    if (!(code >= 97 && code <= 122 || code >= 65 && code <= 90 || code === 36 || code === 95 || code > 127 && !isType)) decline('name');
    if (this.has_escapes && this.text(i).includes('\\')) decline('name');
  }

  result() {
    const { source, spans, overwrites } = this;
    let text = '', from = 0;
    for (let i = 0; i < spans.length; i += 2) {
      if (spans[i] < from) decline('overlap');
      text += source.slice(from, spans[i]) + source.slice(spans[i], spans[i + 1]).replace(/\S/g, ' ');
      from = spans[i + 1];
    }
    text += source.slice(from);
    for (let i = 0; i < overwrites.length; i += 2) {
      text = text.slice(0, overwrites[i]) + overwrites[i + 1] + text.slice(overwrites[i] + 1);
    }
    return text;
  }
}

// { text }, or { reason } why not.
host.internal.try_blanking = (source) => {
  // amaro's text is UTF-8, which has no halves of characters.
  if (!source.isWellFormed()) return { reason: 'malformed text' };
  const tokens = parse_types(source);
  if (tokens === undefined) return { reason: 'syntax' };
  if (tokens === null) return { reason: 'too deep' };
  try {
    const blanking = new Blanking(source, tokens);
    blanking.find();
    return { text: blanking.result() };
  } catch (error) {
    return { reason: error instanceof Declined ? error.reason : 'too deep' };
  }
};

// The code without types; null if it is for amaro to say, undefined if the parser sees a syntax error.
host.functions.blank_types = (source) => {
  const { text, reason } = host.internal.try_blanking(source);
  return reason === undefined ? text : reason === 'syntax' ? undefined : null;
};
