'use strict';
// Where types begin and end. The parser marks the tokens of types; what stands between two of them, such as a comment, goes
// with them only if both are of one type. Its modules call each other through their exports: there we listen, and leave
// what we learn on the first token. Tokens of an attempt that the parser gives up vanish, and with them what they carry.
//   region_end   the type ends before the token with this index
//   bodiless     a function without a body: 'statement', 'member' or, where none can be, 'misplaced'
//   refused      the parser takes it, but it is an error or needs a rewrite
// All of this runs before guest code does.

const parser = host.internal.type_parser;
const base = parser('parser/traverser/base');
const tokenizer = parser('parser/tokenizer/index');
const typescript = parser('parser/plugins/typescript');
const typed = parser('parser/plugins/types');
const expression = parser('parser/traverser/expression');
const statement = parser('parser/traverser/statement');
const State = parser('parser/tokenizer/state').default;
const { ContextualKeyword } = parser('parser/tokenizer/keywords');

const around = (module, name, make) => {
  if (typeof module[name] !== 'function') throw new TypeError(`the type parser has no ${name}`);
  module[name] = make(module[name]);
};

let outermost = 0;
around(tokenizer, 'pushTypeContext', (push) => (tokens_so_far) => {
  if (!base.state.isType) outermost = base.state.tokens.length - tokens_so_far;
  return push(tokens_so_far);
});
around(tokenizer, 'popTypeContext', (pop) => (was_type) => {
  pop(was_type);
  const { tokens } = base.state;
  if (!was_type && outermost < tokens.length) tokens[outermost].region_end = tokens.length;
});

let method_start = -1;
around(expression, 'parseMethod', (parse) => (start, is_constructor) => {
  const outer = method_start;
  method_start = start;
  parse(start, is_constructor);
  method_start = outer;
});
let function_expression_start = -1;
around(statement, 'parseFunction', (parse) => (start, is_statement, optional_id) => {
  const outer = function_expression_start;
  if (!is_statement) function_expression_start = start;
  parse(start, is_statement, optional_id);
  function_expression_start = outer;
});
around(typescript, 'tsParseFunctionBodyAndFinish', (finish) => (start, context_id) => {
  finish(start, context_id);
  const { tokens, isType } = base.state;
  let first = tokens.length - 1;
  if (isType || !tokens[first].isType) return;
  while (first > 0 && tokens[first - 1].start >= start) first--;
  tokens[first].region_end = tokens.length;
  tokens[first].bodiless = start === method_start ? 'member' : start === function_expression_start ? 'misplaced' : 'statement';
});

const refuse_what = (module, name) => around(module, name, (parse) => (...rest) => {
  const from = base.state.tokens.length;
  parse(...rest);
  const { tokens } = base.state;
  if (tokens.length > from) tokens[from].refused = true;
});
// `f(x: T)` is read in the hope of an arrow.
refuse_what(typed, 'typedParseParenItem');
// `<T>x`: by now the parser has taken the bracket.
around(typescript, 'tsParseTypeAssertion', (parse) => () => {
  const { tokens } = base.state;
  tokens[tokens.length - 1].refused = true;
  parse();
});
// `constructor(private x)`: of the two callers this one does not allow `declare`.
around(typescript, 'tsParseModifiers', (parse) => (allowed) => {
  const from = base.state.tokens.length;
  parse(allowed);
  const { tokens } = base.state;
  if (tokens.length > from && !allowed.includes(ContextualKeyword._declare)) tokens[from].refused = true;
});

// Attempts within attempts double the work with each level, so the text that is read again is counted.
let read_again = 0, allowance = 0;
const gave_up = { __proto__: null };
around(State.prototype, 'restoreFromSnapshot', (restore) => function (snapshot) {
  const { tokens } = this;
  if (tokens.length > snapshot.tokensLength) read_again += tokens[tokens.length - 1].end - snapshot.pos;
  read_again += 16;
  if (read_again > allowance) throw gave_up;
  restore.call(this, snapshot);
});

// The tokens; undefined if the parser finds an error in the source, null if it gives up.
host.internal.parse_types = (source) => {
  read_again = 0;
  allowance = 16 * source.length + 65536;
  method_start = function_expression_start = -1;
  // An attempt fails with an error whose stack nobody reads. While the snapshot is made there is no limit to set.
  const { stackTraceLimit } = Error;
  if (stackTraceLimit !== undefined) Error.stackTraceLimit = 0;
  try {
    return parser('parser/index').parse(source, false, true, false).tokens;
  } catch (error) {
    return error instanceof SyntaxError ? undefined : null;
  } finally {
    if (stackTraceLimit !== undefined) Error.stackTraceLimit = stackTraceLimit;
    base.state = base.input = undefined;
  }
};
