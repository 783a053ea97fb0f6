'use strict';
// What a type looks like. The parser is generous: it takes `A<B C>` and `let x: if`, which are errors. So each type that
// it finds is read once more, strictly; what does not fit is left to amaro, for its error or because it knows better.

const { type_parser } = host.internal;
const { TokenType: type } = type_parser('parser/tokenizer/types');
const { ContextualKeyword: word } = type_parser('parser/tokenizer/keywords');

class Declined {
  constructor(reason) { this.reason = reason; }
}
const decline = (reason) => { throw new Declined(reason); };
host.internal.Declined = Declined;
host.internal.decline = decline;

const is_line_break = (code) => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
// `await`, `yield` and the words reserved in strict mode are names of types as well, but hardly anyone's.
const reserved = new Set(['await', 'break', 'case', 'catch', 'class', 'const', 'continue', 'debugger', 'default', 'delete', 'do',
  'else', 'enum', 'export', 'extends', 'false', 'finally', 'for', 'function', 'if', 'implements', 'import', 'in', 'instanceof',
  'interface', 'let', 'new', 'null', 'package', 'private', 'protected', 'public', 'return', 'static', 'super', 'switch', 'this',
  'throw', 'true', 'try', 'typeof', 'var', 'void', 'while', 'with', 'yield']);
const keywords = new Set(['any', 'bigint', 'boolean', 'never', 'number', 'object', 'string', 'symbol', 'undefined', 'unknown']);
const operators = new Set(['abstract', 'as', 'asserts', 'declare', 'in', 'infer', 'is', 'keyof', 'out', 'readonly', 'satisfies', 'type', 'unique']);
const modifiers = new Set(['public', 'private', 'protected', 'static', 'abstract', 'override', 'readonly', 'async']);

class TypeGrammar {
  constructor(source, tokens) {
    this.source = source;
    this.tokens = tokens;
    this.matches = [];  // for each bracket that opens, where it closes
    this.at = 0;
    this.end = 0;
    this.in_extends = false;  // `T extends infer U extends V ? ...`: whose is the question?
  }

  // Each of these reads a region, from its first token to its last.
  annotation(first, end) { this.read(first, end, () => { this.expect(type.colon); this.result_type(); }); }
  cast(first, end) {
    this.read(first, end, () => {
      this.at++;
      if (!this.eat_word('const')) this.type();
    });
  }
  angles(first, end) {
    const { tokens } = this;
    // The keyword tells parameters from arguments; where there is none both look alike.
    let parameters = false;
    for (let i = first + 1; i < end && !parameters; i++) {
      parameters = tokens[i].type === type._extends || tokens[i].type === type.eq || tokens[i].type === type._const ||
        tokens[i].type === type._in || tokens[i].contextualKeyword === word._out || i === end - 2 && tokens[i].type === type.comma;
    }
    this.read(first, end, () => {
      if (!parameters) return this.type_arguments();
      const from = this.at;
      try {
        this.type_arguments();
        if (this.at === end) return;
      } catch (error) {
        if (!(error instanceof Declined)) throw error;
      }
      this.at = from;
      this.type_parameters();
    });
  }
  heritage(first, end) { this.read(first, end, () => { this.at++; this.list_of_references(); }); }
  index_signature(first, end) { this.read(first, end, () => { this.index_signature_body(); this.eat(type.semi); }); }
  declaration(first, end) { this.read(first, end, () => this.declaration_body()); }
  bodiless_function(first, end) {
    this.read(first, end, () => {
      this.eat_word('async');
      this.function_without_body();
    });
  }
  bodiless_method(first, end) {
    this.read(first, end, () => {
      while (modifiers.has(this.text()) && this.next_is_key()) this.at++;
      if ((this.text() === 'get' || this.text() === 'set') && this.next_is_key()) this.at++;
      this.key();
      this.eat(type.question);
      this.signature();
      this.eat(type.semi);
    });
  }

  read(first, end, body) {
    this.at = first;
    this.end = end;
    this.in_extends = false;
    this.match_brackets(first, end);
    body();
    if (this.at !== end) decline('type');
  }

  match_brackets(first, end) {
    const open = [];
    for (let i = first; i < end; i++) {
      switch (this.tokens[i].type) {
        case type.braceL: case type.parenL: case type.bracketL: case type.dollarBraceL:
          open.push(i);
          break;
        case type.braceR: case type.parenR: case type.bracketR:
          if (open.length === 0) decline('type');
          this.matches[open.pop()] = i;
          break;
        default:
      }
    }
    if (open.length > 0) decline('type');
  }

  is(kind) { return this.at < this.end && this.tokens[this.at].type === kind; }
  next_is(kind) { return this.at + 1 < this.end && this.tokens[this.at + 1].type === kind; }
  eat(kind) {
    if (!this.is(kind)) return false;
    this.at++;
    return true;
  }
  expect(kind) { if (!this.eat(kind)) decline('type'); }
  text() { return this.at < this.end ? this.source.slice(this.tokens[this.at].start, this.tokens[this.at].end) : ''; }
  eat_word(expected) {
    if (this.text() !== expected) return false;
    this.at++;
    return true;
  }
  begins_line() {
    for (let i = this.tokens[this.at - 1].end; i < this.tokens[this.at].start; i++) {
      if (is_line_break(this.source.charCodeAt(i))) return true;
    }
    return false;
  }
  is_word() {
    if (this.at >= this.end) return false;
    const token = this.tokens[this.at];
    if (token.type !== type.name && (token.type & type.IS_KEYWORD) === 0) return false;
    // The parser takes any character beyond ASCII for a letter.
    for (let i = token.start; i < token.end; i++) {
      const code = this.source.charCodeAt(i);
      if (code > 122 || code === 92) return false;
    }
    const code = this.source.charCodeAt(token.start);
    return code >= 97 || code >= 65 && code <= 90 || code === 36 || code === 95;
  }
  any_word() {
    if (!this.is_word()) decline('type');
    this.at++;
  }
  name() {
    if (!this.is_word() || reserved.has(this.text())) decline('type');
    this.at++;
  }
  list(close, item, trailing_comma) {
    do {
      if (trailing_comma && this.is(close)) break;
      item();
    } while (this.eat(type.comma));
    this.expect(close);
  }

  type() {
    if (this.starts_function()) return this.function_type();
    this.union();
    if (this.in_extends || !this.is(type._extends) || this.begins_line()) return;
    this.at++;
    this.in_extends = true;
    if (this.starts_function()) this.function_type();
    else this.union();
    this.in_extends = false;
    this.expect(type.question);
    this.type();
    this.expect(type.colon);
    this.type();
  }
  // What stands in brackets is free of what stands around them.
  inner_type() {
    const outer = this.in_extends;
    this.in_extends = false;
    this.type();
    this.in_extends = outer;
  }

  starts_function() {
    if (this.is(type.lessThan) || this.is(type._new)) return true;
    if (this.text() === 'abstract' && this.next_is(type._new)) return true;
    return this.is(type.parenL) && this.matches[this.at] + 1 < this.end && this.tokens[this.matches[this.at] + 1].type === type.arrow;
  }
  function_type() {
    const outer = this.in_extends;
    this.in_extends = false;
    this.eat_word('abstract');
    this.eat(type._new);
    if (this.is(type.lessThan)) this.type_parameters();
    this.parameters();
    this.expect(type.arrow);
    this.result_type();
    this.in_extends = outer;
  }
  parameters() {
    this.expect(type.parenL);
    let rest = false;
    this.list(type.parenR, () => {
      if (rest) decline('type');
      rest = this.eat(type.ellipsis);
      if (this.is(type.braceL) || this.is(type.bracketL)) this.at = this.matches[this.at] + 1;
      else if (this.tokens[this.at - 1].type !== type.parenL || !this.eat_word('this')) this.name();
      if (!rest) this.eat(type.question);
      if (this.eat(type.colon)) this.inner_type();
    }, true);
  }
  signature() {
    if (this.is(type.lessThan)) this.type_parameters();
    this.parameters();
    if (this.eat(type.colon)) this.result_type();
  }
  result_type() {
    const from = this.at;
    if (this.text() === 'asserts' && this.at + 1 < this.end) {
      this.at++;
      if (this.text() !== 'is' && this.is_word() && !this.begins_line() && (this.is(type._this) || !reserved.has(this.text()))) {
        this.at++;
        if (this.eat_word('is')) this.inner_type();
        return;
      }
      this.at = from;
    }
    if (this.is_word() && (this.is(type._this) || !reserved.has(this.text()))) {
      this.at++;
      if (this.text() === 'is' && !this.begins_line()) {
        this.at++;
        this.inner_type();
        return;
      }
      this.at = from;
    }
    this.type();
  }

  union() {
    this.eat(type.bitwiseOR);
    do this.intersection(); while (this.eat(type.bitwiseOR));
  }
  intersection() {
    this.eat(type.bitwiseAND);
    do this.operator(); while (this.eat(type.bitwiseAND));
  }
  operator() {
    const text = this.text();
    if ((text === 'keyof' || text === 'unique' || text === 'readonly') && this.operand_follows()) {
      this.at++;
      return this.operator();
    }
    if (text === 'infer' && this.operand_follows()) return this.infer();
    // Here function types need parentheses.
    if (this.starts_function()) decline('type');
    this.postfix();
  }
  operand_follows() {
    this.at++;
    const follows = this.at < this.end && (this.is_word() && this.text() !== 'extends' && this.text() !== 'is' || this.is(type.braceL) ||
      this.is(type.bracketL) || this.is(type.parenL) || this.is(type.string));
    this.at--;
    return follows;
  }
  infer() {
    this.at++;
    this.name();
    if (!this.is(type._extends)) return;
    const from = this.at;
    const outer = this.in_extends;
    this.at++;
    this.in_extends = true;
    this.type();
    this.in_extends = outer;
    if (!outer && this.is(type.question)) this.at = from;
  }
  postfix() {
    this.primary();
    while (this.is(type.bracketL) && !this.begins_line()) {
      this.at++;
      if (!this.is(type.bracketR)) this.inner_type();
      this.expect(type.bracketR);
    }
  }
  primary() {
    if (this.at >= this.end) decline('type');
    switch (this.tokens[this.at].type) {
      case type._void: case type._null: case type._true: case type._false: case type._this:
        this.at++;
        return;
      case type.string: return this.string();
      case type.num: case type.bigint: return this.number();
      case type.minus:
        this.at++;
        return this.number();
      case type.backQuote: return this.template();
      case type.braceL: return this.is_mapped() ? this.mapped() : this.members();
      case type.bracketL: return this.tuple();
      case type.parenL:
        this.at++;
        this.inner_type();
        this.expect(type.parenR);
        return;
      case type._typeof:
        this.at++;
        if (this.is(type._import)) return this.import_type();
        if (!this.eat_word('this')) this.name();
        return this.rest_of_reference();
      case type._import: return this.import_type();
      default:
        if (keywords.has(this.text())) return this.at++;
        this.name();
        this.rest_of_reference();
    }
  }
  string() {
    this.expect(type.string);
    const { start, end } = this.tokens[this.at - 1];
    // Whether an escape is well-formed is not looked at here.
    for (let i = start; i < end; i++) {
      const code = this.source.charCodeAt(i);
      if (code === 92 || is_line_break(code)) decline('type');
    }
  }
  number() {
    if (!this.eat(type.num)) this.expect(type.bigint);
    const { start, end } = this.tokens[this.at - 1];
    if (this.source[start] === '0' && end - start > 1) decline('type');
    if (this.is_word() && this.tokens[this.at].start === this.tokens[this.at - 1].end) decline('type');
  }
  rest_of_reference() {
    while (this.eat(type.dot)) this.any_word();
    if (this.is(type.lessThan) && !this.begins_line()) this.type_arguments();
  }
  import_type() {
    this.expect(type._import);
    this.expect(type.parenL);
    this.string();
    this.expect(type.parenR);
    this.rest_of_reference();
  }
  template() {
    this.expect(type.backQuote);
    this.expect(type.template);
    while (this.eat(type.dollarBraceL)) {
      this.inner_type();
      this.expect(type.braceR);
      this.expect(type.template);
    }
    this.expect(type.backQuote);
  }
  tuple() {
    this.expect(type.bracketL);
    this.list(type.bracketR, () => {
      const rest = this.eat(type.ellipsis);
      if (this.is_word() && this.next_is(type.colon)) {
        this.at += 2;
      } else if (this.is_word() && this.next_is(type.question) && this.at + 2 < this.end && this.tokens[this.at + 2].type === type.colon) {
        if (rest) decline('type');
        this.at += 3;
      }
      this.inner_type();
      if (!rest) this.eat(type.question);
    }, true);
  }
  type_arguments() {
    this.expect(type.lessThan);
    this.list(type.greaterThan, () => this.inner_type(), false);
  }
  type_parameters() {
    this.expect(type.lessThan);
    if (this.is(type.greaterThan)) decline('type');
    this.list(type.greaterThan, () => {
      if (this.is(type._const) && !this.next_ends_parameter()) this.at++;
      if (this.is(type._in) && !this.next_ends_parameter()) this.at++;
      if (this.text() === 'out' && !this.next_ends_parameter()) this.at++;
      if (operators.has(this.text())) decline('type');
      this.name();
      if (this.eat(type._extends)) this.inner_type();
      if (this.eat(type.eq)) this.inner_type();
    }, true);
  }
  next_ends_parameter() {
    return this.next_is(type.comma) || this.next_is(type.greaterThan) || this.next_is(type._extends) || this.next_is(type.eq);
  }

  is_mapped() {
    const from = this.at;
    this.at++;
    if (this.is(type.plus) || this.is(type.minus)) this.at++;
    this.eat_word('readonly');
    const found = this.is(type.bracketL) && this.at + 2 < this.end && this.tokens[this.at + 2].type === type._in;
    this.at = from;
    return found;
  }
  mapped() {
    this.expect(type.braceL);
    if (this.eat(type.plus) || this.eat(type.minus)) {
      if (!this.eat_word('readonly')) decline('type');
    } else {
      this.eat_word('readonly');
    }
    this.expect(type.bracketL);
    this.name();
    this.expect(type._in);
    this.inner_type();
    if (this.eat_word('as')) this.inner_type();
    this.expect(type.bracketR);
    if (this.eat(type.plus) || this.eat(type.minus)) this.expect(type.question);
    else this.eat(type.question);
    if (this.eat(type.colon)) this.inner_type();
    if (!this.eat(type.semi)) this.eat(type.comma);
    this.expect(type.braceR);
  }
  members() {
    this.expect(type.braceL);
    while (!this.eat(type.braceR)) {
      this.member();
      if (!this.eat(type.semi) && !this.eat(type.comma) && !this.is(type.braceR) && !this.begins_line()) decline('type');
    }
  }
  member() {
    if (this.is(type.parenL) || this.is(type.lessThan)) return this.signature();
    if (this.is(type._new) && (this.next_is(type.parenL) || this.next_is(type.lessThan))) {
      this.at++;
      return this.signature();
    }
    const is_readonly = this.text() === 'readonly' && this.next_is_key();
    if (is_readonly) this.at++;
    if (this.is(type.bracketL) && this.next_is(type.name) && this.tokens[this.at + 2].type === type.colon) return this.index_signature_body();
    const accessor = (this.text() === 'get' || this.text() === 'set') && this.next_is_key();
    if (accessor) this.at++;
    this.key();
    this.eat(type.question);
    if (accessor || !is_readonly && (this.is(type.parenL) || this.is(type.lessThan))) return this.signature();
    if (this.eat(type.colon)) this.inner_type();
  }
  // Is the word here a modifier, and not itself the name?
  next_is_key() {
    this.at++;
    const found = this.at < this.end && !this.begins_line() && (this.is_word() || this.is(type.string) || this.is(type.num) ||
      this.is(type.bracketL) || this.is(type.hash));
    this.at--;
    return found;
  }
  key() {
    if (this.eat(type.bracketL)) {
      if (this.is(type.string)) this.string();
      else if (!this.eat(type.num)) this.name();
      while (this.eat(type.dot)) this.any_word();
      this.expect(type.bracketR);
    } else if (this.is(type.string)) {
      this.string();
    } else if (!this.eat(type.num)) {
      this.eat(type.hash);
      this.any_word();
    }
  }
  index_signature_body() {
    this.expect(type.bracketL);
    this.name();
    this.expect(type.colon);
    this.inner_type();
    this.expect(type.bracketR);
    this.expect(type.colon);
    this.inner_type();
  }
  list_of_references() {
    do {
      this.name();
      this.rest_of_reference();
    } while (this.eat(type.comma));
  }

  declaration_body() {
    if (this.eat_word('declare')) {
      if (this.is(type._const) || this.is(type._let) || this.is(type._var)) return this.variables();
      if (this.is(type._function)) return this.function_without_body();
    }
    if (this.eat_word('interface')) {
      this.name();
      if (this.is(type.lessThan)) this.type_parameters();
      if (this.eat(type._extends)) this.list_of_references();
      this.members();
    } else if (this.eat_word('type')) {
      this.name();
      if (this.is(type.lessThan)) this.type_parameters();
      this.expect(type.eq);
      this.type();
      this.eat(type.semi);
    } else {
      decline('declaration');
    }
  }
  variables() {
    this.at++;
    do {
      this.name();
      if (this.eat(type.colon)) this.inner_type();
    } while (this.eat(type.comma));
    this.eat(type.semi);
  }
  function_without_body() {
    this.expect(type._function);
    this.name();
    this.signature();
    this.eat(type.semi);
  }
}
host.internal.TypeGrammar = TypeGrammar;
