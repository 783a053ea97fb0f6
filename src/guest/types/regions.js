// Where types begin and end. The parser marks the tokens of types; what stands between two of them, such as a comment,
// goes with them only if both are of one type. So we listen to the parser's functions, and leave what we learn on the
// first token. Tokens of an attempt that the parser gives up vanish, and with them what they carry.
//   region_end   the type ends before the token with this index
//   bodiless     a function without a body: 'statement', 'member' or, where none can be, 'misplaced'
//   parameters   the angle brackets hold type parameters, not arguments
//   refused      the parser takes it, but it is an error or needs a rewrite

let outermost = 0;
pushTypeContext = ((push) => (tokens_so_far) => {
  if (!state.isType) outermost = state.tokens.length - tokens_so_far;
  return push(tokens_so_far);
})(pushTypeContext);
popTypeContext = ((pop) => (was_type) => {
  pop(was_type);
  if (!was_type && outermost < state.tokens.length) state.tokens[outermost].region_end = state.tokens.length;
})(popTypeContext);

tsParseTypeParameters = ((parse) => () => {
  const from = state.tokens.length;
  parse();
  if (state.tokens.length > from) state.tokens[from].parameters = true;
})(tsParseTypeParameters);

let method_start = -1;
parseClassMethod = ((parse) => (start, is_constructor) => {
  const outer = method_start;
  method_start = start;
  parse(start, is_constructor);
  method_start = outer;
})(parseClassMethod);
let statement_start = -1;
parseFunction = ((parse) => (start, is_statement, optional_id) => {
  const outer = statement_start;
  if (is_statement) statement_start = start;
  parse(start, is_statement, optional_id);
  statement_start = outer;
})(parseFunction);
tsParseFunctionBodyAndFinish = ((finish) => (start, context_id) => {
  finish(start, context_id);
  const { tokens: so_far, isType } = state;
  let first = so_far.length - 1;
  if (isType || !so_far[first].isType) return;
  while (first > 0 && so_far[first - 1].start >= start) first--;
  so_far[first].region_end = so_far.length;
  so_far[first].bodiless = start === method_start ? 'member' : start === statement_start ? 'statement' : 'misplaced';
})(tsParseFunctionBodyAndFinish);

// `f(x: T)` is read in the hope of an arrow.
typedParseParenItem = ((parse) => () => {
  const from = state.tokens.length;
  parse();
  if (state.tokens.length > from) state.tokens[from].refused = true;
})(typedParseParenItem);
// `<T>x`: by now the parser has taken the bracket.
tsParseTypeAssertion = ((parse) => () => {
  state.tokens[state.tokens.length - 1].refused = true;
  parse();
})(tsParseTypeAssertion);
// `constructor(private x)`: of all callers this one allows neither `declare` nor `static`.
tsParseModifiers = ((parse) => (allowed) => {
  const from = state.tokens.length;
  parse(allowed);
  if (state.tokens.length > from && !allowed.includes(ContextualKeyword._declare)) state.tokens[from].refused = true;
})(tsParseModifiers);

// Attempts within attempts double the work with each level, so the text that is read again is counted.
let read_again = 0, allowance = 0;
const gave_up = { __proto__: null };
State.prototype.restoreFromSnapshot = ((restore) => function (snapshot) {
  const { tokens: so_far } = this;
  if (so_far.length > snapshot.tokensLength) read_again += so_far[so_far.length - 1].end - snapshot.pos;
  read_again += 16;
  if (read_again > allowance) throw gave_up;
  restore.call(this, snapshot);
})(State.prototype.restoreFromSnapshot);

// The tokens; undefined if the parser finds an error in the source, null if it gives up.
const parse_types = (text) => {
  read_again = 0;
  allowance = 16 * text.length + 65536;
  method_start = statement_start = -1;
  // An attempt fails with an error whose stack is not needed. While the snapshot is made there is no limit to set.
  const { stackTraceLimit } = Error;
  if (stackTraceLimit !== undefined) Error.stackTraceLimit = 0;
  try {
    return parse(text, false, true, false).tokens;
  } catch (error) {
    return error instanceof SyntaxError ? undefined : null;
  } finally {
    if (stackTraceLimit !== undefined) Error.stackTraceLimit = stackTraceLimit;
    state = input = undefined;
  }
};
