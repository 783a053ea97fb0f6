// Under which conditions a place of a program is reached, as far as its text shows: the branches, loops and functions
// around it. Statements are read by their brackets and keywords; where a line without a semicolon ends is guessed from
// the tokens around the break, and a wrong guess makes a condition too many or too few. It informs people.

const when_depth = 200;   // of nested statements and brackets; beyond, nothing more is reported
const when_text = 80;     // characters of one condition
const when_levels = 8;    // conditions of one place, the innermost ones

let when_tokens = [], when_source = '', when_match = null, when_guards = [];

function when_type(i) { return i >= 0 && i < when_tokens.length ? when_tokens[i].type : tt.eof; }
function when_slice(from, to) {
  if (from >= to) return '';
  const start = when_tokens[from].start;
  const text = when_source.slice(start, Math.min(when_tokens[to - 1].end, start + 10 * when_text)).replace(/\s+/g, ' ');
  return text.length > when_text ? text.slice(0, when_text) + '...' : text;
}
function when_word(i) { return when_source.slice(when_tokens[i].start, when_tokens[i].end); }
function when_is_open(type) {
  return type === tt.parenL || type === tt.bracketL || type === tt.braceL || type === tt.dollarBraceL;
}
function when_is_close(type) { return type === tt.parenR || type === tt.bracketR || type === tt.braceR; }

// The closing bracket of each opening one; of those that have none, the end.
function when_pairs() {
  const match = new Int32Array(when_tokens.length).fill(when_tokens.length);
  const open = [];
  for (let i = 0; i < when_tokens.length; i++) {
    const type = when_type(i);
    if (when_is_open(type)) open.push(i);
    else if (when_is_close(type) && open.length > 0) match[open.pop()] = i;
  }
  return match;
}

// Whether a statement may end between the tokens i - 1 and i, which stand on different lines.
function when_breaks(i) {
  const before = when_type(i - 1), after = when_type(i);
  if (!/[\r\n]/.test(when_source.slice(when_tokens[i - 1].end, when_tokens[i].start))) return false;
  const ends = before === tt.name || before === tt.num || before === tt.bigint || before === tt.string ||
    before === tt.regexp || before === tt.backQuote || when_is_close(before) || before === tt._this || before === tt._true ||
    before === tt._false || before === tt._null || before === tt._super;
  const goes_on = after === tt.dot || after === tt.questionDot || after === tt.parenL || after === tt.bracketL ||
    after === tt.backQuote || after === tt.question || after === tt.colon || after === tt.comma || after === tt.eq ||
    after === tt.arrow || after === tt.assign || when_is_close(after) ||
    (after & tt.PRECEDENCE_MASK) !== 0;
  return ends && !goes_on;
}

function when_mark(from, to, guard) {
  for (let i = from; i < to && i < when_guards.length; i++) when_guards[i] = guard;
}
function when_node(text, parent) { return { text, parent, depth: parent === null ? 1 : parent.depth + 1 }; }

// From an opening brace; gives the place behind the closing one.
function when_block(open, guard, depth) {
  const close = when_match[open];
  let i = open + 1;
  while (i < close) i = when_statement(i, close, guard, depth + 1);
  return Math.min(close + 1, when_tokens.length);
}

// `for (...)` and the like: the head belongs to what is around, the statement behind it is conditional.
function when_headed(i, paren, end, guard, depth, text) {
  const close = Math.min(when_match[paren] ?? end, end);
  when_expression(paren + 1, close, guard, depth + 1, false);
  return when_statement(close + 1, end, when_node(text(when_slice(paren + 1, close)), guard), depth + 1);
}

function when_switch(i, end, guard, depth) {
  const close = Math.min(when_match[i + 1] ?? end, end);
  when_expression(i + 2, close, guard, depth + 1, false);
  if (when_type(close + 1) !== tt.braceL) return close + 1;
  const last = when_match[close + 1];
  let inner = guard;
  for (let at = close + 2; at < last;) {
    if (when_type(at) === tt._case || when_type(at) === tt._default) {
      let colon = at + 1;
      while (colon < last && when_type(colon) !== tt.colon) colon = when_is_open(when_type(colon)) ? when_match[colon] + 1 : colon + 1;
      when_expression(at + 1, colon, guard, depth + 1, false);
      inner = when_node(when_slice(at, colon), guard);
      at = colon + 1;
    } else {
      at = when_statement(at, last, inner, depth + 1);
    }
  }
  return Math.min(last + 1, when_tokens.length);
}

// One statement from `i`, not beyond `end`; gives the place behind it, which is always further on.
function when_statement(i, end, guard, depth) {
  if (depth > when_depth) {
    when_mark(i, end, when_node('deep inside', guard));
    return Math.max(end, i + 1);
  }
  const type = when_type(i);
  if (i >= end) return i + 1;
  switch (type) {
    case tt.semi: return i + 1;
    case tt.braceL: return when_block(i, guard, depth);
    case tt._if: {
      const condition = when_slice(i + 2, Math.min(when_match[i + 1], end));
      let next = when_headed(i, i + 1, end, guard, depth, (text) => `if (${text})`);
      if (when_type(next) === tt._else && next < end) next = when_statement(next + 1, end, when_node(`if not (${condition})`, guard), depth + 1);
      return next;
    }
    case tt._for: {
      const paren = when_type(i + 1) === tt.parenL ? i + 1 : i + 2;
      return when_headed(i, paren, end, guard, depth, (text) => `for (${text})`);
    }
    case tt._while: return when_headed(i, i + 1, end, guard, depth, (text) => `while (${text})`);
    case tt._do: {
      // Once in any case.
      const next = when_statement(i + 1, end, guard, depth + 1);
      if (when_type(next) !== tt._while) return next;
      const close = Math.min(when_match[next + 1], end);
      when_expression(next + 2, close, guard, depth + 1, false);
      return close + 1;
    }
    case tt._switch: return when_switch(i, end, guard, depth);
    case tt._try: {
      let next = when_statement(i + 1, end, guard, depth + 1);
      if (when_type(next) === tt._catch && next < end) {
        const body = when_type(next + 1) === tt.parenL ? when_match[next + 1] + 1 : next + 1;
        next = when_statement(body, end, when_node('if that fails', guard), depth + 1);
      }
      if (when_type(next) === tt._finally && next < end) next = when_statement(next + 1, end, guard, depth + 1);
      return next;
    }
    default:
      if (type === tt.name && when_type(i + 1) === tt.colon) return i + 2;
      return when_expression(i, end, guard, depth + 1, true);
  }
}

// Tokens from `i` up to `end`, or to the end of the statement if that comes first. What stands behind &&, || and ? is
// conditional until the next comma or the end of the brackets around it.
function when_expression(i, end, guard, depth, is_statement) {
  if (depth > when_depth) {
    when_mark(i, end, when_node('deep inside', guard));
    return Math.max(end, i + 1);
  }
  let now = guard, from = i;
  const questions = [];
  const first = i;
  while (i < end) {
    const type = when_type(i);
    if (is_statement && i > first && (type === tt.semi || when_breaks(i))) return type === tt.semi ? i + 1 : i;
    when_guards[i] = now;
    if (when_tokens[i].isType) {
      i++;
    } else if (type === tt._function) {
      let at = i + 1;
      while (at < end && when_type(at) !== tt.parenL) at++;
      const name = at > i + 1 && when_type(at - 1) === tt.name ? ' ' + when_word(at - 1).slice(0, when_text) : '';
      i = when_function(at, end, when_node(`in function${name}`, now), depth);
    } else if (type === tt.arrow) {
      now = when_node('in a function', now);
      from = i + 1;
      i = when_type(i + 1) === tt.braceL ? when_block(i + 1, now, depth) : i + 1;
    } else if (type === tt.braceL && when_type(i - 1) === tt.parenR && i > first) {
      // A method: an object or a class stands around it.
      i = when_block(i, when_node('in a function', now), depth);
    } else if (when_is_open(type)) {
      const close = Math.min(when_match[i], end);
      when_expression(i + 1, close, now, depth + 1, false);
      i = close + 1;
    } else {
      if (type === tt.comma || type === tt.semi) {
        now = guard;
        from = i + 1;
        questions.length = 0;
      } else if (type === tt.logicalAND) {
        now = when_node(`if (${when_slice(from, i)})`, now);
        from = i + 1;
      } else if (type === tt.logicalOR || type === tt.nullishCoalescing) {
        now = when_node(`if not (${when_slice(from, i)})`, guard);
        from = i + 1;
      } else if (type === tt.question) {
        const left = when_slice(from, i);
        questions.push({ left, outer: now });
        now = when_node(`if (${left})`, now);
        from = i + 1;
      } else if (type === tt.colon && questions.length > 0) {
        const { left: condition, outer } = questions.pop();
        now = when_node(`if not (${condition})`, outer);
        from = i + 1;
      } else if (type === tt.eq || type === tt.assign || type === tt.colon || type === tt._return || type === tt._throw) {
        from = i + 1;
      }
      i++;
    }
  }
  return Math.max(end, first + 1);
}

// From the parenthesis of its parameters.
function when_function(paren, end, guard, depth) {
  const close = Math.min(when_match[paren] ?? end, end);
  when_expression(paren + 1, close, guard, depth + 1, false);
  let body = close + 1;
  while (body < end && when_type(body) !== tt.braceL) body++;
  return body < end ? when_block(body, guard, depth) : end;
}

// For every token, what it depends on: [] when it is reached whenever the program runs to its end. The outermost function
// is the program itself.
const when_reached = (source, tokens) => {
  when_source = source;
  when_tokens = tokens;
  when_guards = new Array(tokens.length).fill(null);
  when_match = when_pairs();
  let start = 0;
  while (start < tokens.length && when_type(start) !== tt.arrow) start++;
  if (when_type(start + 1) === tt.braceL) when_block(start + 1, null, 0);
  else when_expression(start + 2, Math.min(when_match[start + 1] ?? tokens.length, tokens.length), null, 0, false);
  const guards = when_guards;
  return (i) => {
    const texts = [];
    for (let guard = guards[i]; guard !== null && guard !== undefined && texts.length < when_levels; guard = guard.parent) texts.unshift(guard.text);
    return texts;
  };
};
