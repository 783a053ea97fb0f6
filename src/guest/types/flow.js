// Which call's value may reach the arguments of which other call, and which calls are waited for before another begins.
// Names are followed wherever they are written, without regard to scopes or to what is assigned first: a value that goes
// by a name may reach everything that mentions the name. So there may be an arrow too many; what a program does by
// other means than names (this, getters, promises resolved elsewhere) makes one too few. It informs people.

const flow_budget = 4000000;  // tokens examined, all in all: a text can be made to ask for the square of its length
const flow_arrows = 20000;    // of all calls together

let flow_calls = null;    // by their first token
let flow_values = null;   // of a name: the calls whose values it may hold
let flow_opened = null;   // of a closing bracket, where it was opened
let flow_left = 0;        // of the budget
let flow_is_whole = true;

function flow_is_type(i) { return when_tokens[i].isType === true; }
function flow_is_name(i) {
  if (when_type(i) !== tt.name || flow_is_type(i)) return false;
  const before = when_type(i - 1);
  return before !== tt.dot && before !== tt.questionDot && when_tokens[i].identifierRole !== IdentifierRole.ObjectKey;
}
function flow_spend(count) {
  flow_left -= count;
  if (flow_left < 0) flow_is_whole = false;
  return flow_left >= 0;
}

// Calls whose values tokens from `from` up to `to` may give.
function flow_sources(from, to, into) {
  for (let i = from; i < to; i++) {
    if (!flow_spend(1)) return;
    const call = flow_calls.get(i);
    if (call !== undefined) {
      into.add(call.id);
      // What a call is given does not come out of it, as far as can be seen.
      if (call.close > i) i = call.close;
      continue;
    }
    if (!flow_is_name(i)) continue;
    const held = flow_values.get(when_word(i));
    if (held === undefined) continue;
    if (!flow_spend(held.size)) return;
    for (const id of held) into.add(id);
  }
}

function flow_names(from, to) {
  const names = [];
  for (let i = from; i < to && flow_spend(1); i++) if (flow_is_name(i)) names.push(when_word(i));
  return names;
}

// Where the initializer ends that begins at `i`.
function flow_end(i) {
  const first = i;
  while (i < when_tokens.length) {
    const type = when_type(i);
    if (!flow_spend(1) || type === tt.semi || type === tt.comma || when_is_close(type)) return i;
    if (i > first && when_breaks(i)) return i;
    i = when_is_open(type) ? when_match[i] + 1 : i + 1;
  }
  return Math.min(i, when_tokens.length);
}

// The first token of `a.b[c](d)` that ends before `end`.
function flow_chain_start(end) {
  let i = end - 1;
  while (i >= 0 && flow_spend(1)) {
    const type = when_type(i);
    if (type === tt.nonNullAssertion || flow_is_type(i)) { i--; continue; }
    if (type === tt.parenR || type === tt.bracketR) {
      const open = flow_opened[i];
      const before = when_type(open - 1);
      const goes_on = before === tt.name || before === tt.parenR || before === tt.bracketR || before === tt.questionDot;
      if (!goes_on || open <= 0) return Math.max(open, 0);
      i = before === tt.questionDot ? open - 2 : open - 1;
      continue;
    }
    const before = when_type(i - 1);
    if (before !== tt.dot && before !== tt.questionDot) return i;
    i -= 2;
  }
  return 0;
}

// The names that `... =` before the token `i` writes to.
function flow_targets(i) {
  let last = i - 1;
  while (last > 0 && flow_is_type(last)) last--;
  const type = when_type(last);
  if (type === tt.braceR) return flow_names(flow_opened[last] + 1, last);
  if (type === tt.bracketR) {
    const before = when_type(flow_opened[last] - 1);
    if (before !== tt.name && before !== tt.parenR && before !== tt.bracketR) return flow_names(flow_opened[last] + 1, last);
  }
  const start = flow_chain_start(last + 1);
  return flow_is_name(start) ? [when_word(start)] : [];
}

// Everything of a program that brings values from some tokens to some names: [{ names, from, to }, ...]; and the
// parameters of functions that have a name.
function flow_bindings() {
  const bindings = [], functions = new Map(), declared = new Set();
  const bind = (names, from, to) => {
    for (const name of names) declared.add(name);
    if (names.length > 0 && from < to) bindings.push({ names, from, to });
  };
  const open = [];
  for (let i = 0; i < when_tokens.length && flow_spend(1); i++) {
    const type = when_type(i);
    if (when_is_open(type)) open.push(i);
    else if (when_is_close(type)) open.pop();
    if (flow_is_type(i)) continue;
    if (type === tt.eq || type === tt.assign) {
      const names = flow_targets(i), end = flow_end(i + 1);
      bind(names, i + 1, end);
      let at = i + 1;
      if (when_type(at) === tt.name && when_word(at) === 'async') at++;
      const is_function = when_type(at) === tt.parenL ? when_type(when_match[at] + 1) === tt.arrow : when_type(at + 1) === tt.arrow;
      if (is_function && names.length === 1) {
        functions.set(names[0], when_type(at) === tt.parenL ? flow_names(at + 1, when_match[at]) : flow_names(at, at + 1));
      }
    } else if (type === tt._for) {
      const paren = when_type(i + 1) === tt.parenL ? i + 1 : i + 2;
      const close = Math.min(when_match[paren] ?? i, when_tokens.length);
      let at = paren + 1;
      while (at < close && flow_spend(1) && !(when_type(at) === tt._in || (when_type(at) === tt.name && when_word(at) === 'of' && at > paren + 1))) {
        at = when_is_open(when_type(at)) ? when_match[at] + 1 : at + 1;
      }
      if (at < close) bind(flow_names(paren + 1, at), at + 1, close);
    } else if (type === tt.arrow) {
      let last = i - 1;
      while (last > 0 && flow_is_type(last)) last--;
      const begin = when_type(last) === tt.parenR ? flow_opened[last] : last;
      const names = when_type(last) === tt.parenR ? flow_names(begin + 1, last) : flow_names(last, last + 1);
      for (const name of names) declared.add(name);
      // `rows.map((row) => ...)`, `call.then((value) => ...)`: what stands before the parenthesis is what comes in.
      const around = open[open.length - 1] ?? -1;
      if (around > 0 && when_type(around) === tt.parenL) bind(names, flow_chain_start(around), around);
    } else if (type === tt._function) {
      let paren = i + 1;
      while (paren < when_tokens.length && when_type(paren) !== tt.parenL && flow_spend(1)) paren++;
      const close = when_match[paren] ?? when_tokens.length;
      const names = flow_names(paren + 1, close);
      for (const name of names) declared.add(name);
      if (when_type(paren - 1) === tt.name && paren - 1 > i) {
        const name = when_word(paren - 1);
        functions.set(name, names);
        let body = close + 1;
        while (body < when_tokens.length && when_type(body) !== tt.braceL && flow_spend(1)) body++;
        bind([name], body + 1, Math.min(when_match[body] ?? 0, when_tokens.length));
      }
    }
  }
  for (let i = 1; i < when_tokens.length && flow_spend(1); i++) {
    if (when_type(i) !== tt.parenL || when_type(i - 1) !== tt.name || flow_is_type(i)) continue;
    const close = Math.min(when_match[i], when_tokens.length);
    if (flow_is_name(i - 1)) {
      // Of a function of the program: what it is given reaches its parameters.
      const parameters = functions.get(when_word(i - 1));
      if (parameters !== undefined && when_type(i - 2) !== tt._function) bind(parameters, i + 1, close);
      continue;
    }
    // `list.push(value)`: the list may hold it from now on.
    const start = flow_chain_start(i);
    if (flow_is_name(start) && declared.has(when_word(start)) && !flow_calls.has(start)) bind([when_word(start)], i + 1, close);
  }
  return bindings;
}

function flow_follow() {
  const bindings = flow_bindings();
  for (let changed = true; changed && flow_is_whole;) {
    changed = false;
    for (const { names, from, to } of bindings) {
      const found = new Set();
      flow_sources(from, to, found);
      for (const name of names) {
        if (!flow_spend(1)) return;
        let held = flow_values.get(name);
        if (held === undefined) flow_values.set(name, held = new Set());
        const before = held.size;
        for (const id of found) held.add(id);
        if (held.size > before) changed = true;
      }
    }
  }
}

// Of each call, the innermost `await` that waits for it: { from, to } of what that waits for.
function flow_awaits(calls) {
  for (let i = 0; i + 1 < when_tokens.length && flow_spend(1); i++) {
    if (when_type(i) !== tt.name || when_word(i) !== 'await' || !flow_is_name(i)) continue;
    let end = i + 1;
    while (end < when_tokens.length && flow_spend(1)) {
      const type = when_type(end);
      const goes_on = end === i + 1 || type === tt.dot || type === tt.questionDot || type === tt.nonNullAssertion ||
        type === tt.parenL || type === tt.bracketL || when_type(end - 1) === tt.dot || when_type(end - 1) === tt.questionDot ||
        flow_is_type(end);
      if (!goes_on) break;
      end = when_is_open(type) ? when_match[end] + 1 : end + 1;
    }
    if (!flow_spend(calls.length)) return;
    for (const call of calls) if (call.start > i && call.start < end) call.awaited = { at: i, end };
  }
}

// In the order in which they are made where nothing jumps: what a call is given is computed before it.
function flow_order(calls) {
  const sorted = [...calls].sort((a, b) => Math.max(a.close, a.start) - Math.max(b.close, b.start));
  let arrows = 0;
  for (let i = 0; i < sorted.length; i++) {
    const call = sorted[i];
    let last = null;
    for (let j = i - 1; j >= 0 && flow_spend(1); j--) {
      const { awaited, start, id } = sorted[j];
      if (awaited === null || awaited.at === call.awaited?.at) continue;
      if (call.awaited !== null && start > call.awaited.at && start < call.awaited.end) continue;
      if (last !== null && awaited.at !== last) break;
      last = awaited.at;
      if (++arrows > flow_arrows) { flow_is_whole = false; return; }
      call.after.unshift(id);
    }
  }
}

// Adds `from` and `after` to calls { id, start, open, close, name } of a program that when_reached has read; `close` is -1 where the
// tool is only mentioned. False if it was too much to follow, and then both are incomplete.
const follow_calls = (calls) => {
  flow_left = flow_budget;
  flow_is_whole = true;
  flow_values = new Map();
  flow_calls = new Map();
  for (const call of calls) {
    flow_calls.set(call.start, call);
    if (call.name !== undefined) flow_values.set(call.name, new Set([call.id]));
    call.awaited = null;
    call.after = [];
    call.from = [];
  }
  flow_opened = new Int32Array(when_tokens.length);
  for (let i = 0; i < when_tokens.length; i++) {
    if (when_is_open(when_type(i)) && when_match[i] < when_tokens.length) flow_opened[when_match[i]] = i;
  }
  flow_follow();
  let arrows = 0;
  for (const call of calls) {
    if (call.close < 0) continue;
    const found = new Set();
    flow_sources(call.open + 1, call.close, found);
    found.delete(call.id);
    arrows += found.size;
    if (arrows > flow_arrows) { flow_is_whole = false; break; }
    call.from = [...found].sort((a, b) => a - b);
  }
  flow_awaits(calls);
  flow_order(calls);
  return flow_is_whole;
};
