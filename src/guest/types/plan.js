// Which tools a program can call, as far as its text shows. It reads tokens and follows names, not values: whatever it
// cannot follow is listed as dynamic. No code of the program has run, and none will.

const plan_limit = 1000;  // of each list

const plan_code_makers = new Set(['eval', 'Function', 'AsyncFunction', 'GeneratorFunction', 'AsyncGeneratorFunction']);
const plan_block_heads = new Set([tt._if, tt._for, tt._while, tt._switch, tt._catch, tt._with]);
const plan_declaring = new Set([tt._const, tt._let, tt._var]);

let plan_text = '', plan_tokens = [], plan_lines = [];
let plan_found = null;
let plan_when = null;  // conditions of a token
// What a name stands for: null for `mcp` itself, else the name of a server.
let plan_names = new Map();

function plan_word(i) { return plan_text.slice(plan_tokens[i].start, plan_tokens[i].end); }
function plan_type(i) { return i >= 0 && i < plan_tokens.length ? plan_tokens[i].type : tt.eof; }
function plan_is_word(i) {
  const type = plan_type(i);
  return type === tt.name || (type & tt.IS_KEYWORD) !== 0;
}
function plan_is_declared(i) {
  const role = plan_tokens[i].identifierRole;
  return role !== null && role >= IdentifierRole.TopLevelDeclaration && role <= IdentifierRole.BlockScopedDeclaration;
}
function plan_is_shorthand_declaration(i) {
  const role = plan_tokens[i].identifierRole;
  return role !== null && role >= IdentifierRole.ObjectShorthandTopLevelDeclaration &&
    role <= IdentifierRole.ObjectShorthandBlockScopedDeclaration;
}

// From 1, as the user counts: the wrapper's line is not theirs.
function plan_position(i) {
  const at = plan_tokens[i].start;
  let low = 0, high = plan_lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (plan_lines[middle] <= at) low = middle; else high = middle - 1;
  }
  return { line: Math.max(low, 1), column: at - plan_lines[low] + 1 };
}

function plan_add_tool(server, tool, i) {
  // No tool has a name that long, and a run would not even ask for it.
  if (server.length > 256 || tool.length > 256) return plan_add_dynamic('a name that is too long', i);
  const key = JSON.stringify([server, tool]);
  const when = plan_when(i);
  const known = plan_found.keys.get(key);
  if (known !== undefined) {
    // Once without a condition is enough.
    if (when.length === 0) known.when = when;
    return;
  }
  if (plan_found.tools.length >= plan_limit) return plan_add_dynamic('more tools than can be listed', i);
  const found = { server, tool, ...plan_position(i), when };
  plan_found.keys.set(key, found);
  plan_found.tools.push(found);
}
// One place that calls it, or only mentions it: `beyond` is the token behind its name. `name` is what it is called from
// there on.
function plan_add_call(server, tool, i, beyond, name) {
  if (server.length > 256 || tool.length > 256) return;
  if (plan_found.calls.length >= plan_limit) {
    plan_found.is_whole = false;
    return;
  }
  let open = beyond;
  // The same call, for its content blocks.
  if (plan_type(open) === tt.dot && plan_is_word(open + 1) && plan_word(open + 1) === 'raw') open += 2;
  while (plan_type(open) === tt.questionDot || plan_type(open) === tt.nonNullAssertion || (open < plan_tokens.length && plan_tokens[open].isType)) open++;
  const close = plan_type(open) === tt.parenL ? when_match[open] : plan_tokens.length;
  const is_call = close < plan_tokens.length;
  plan_found.calls.push({ id: plan_found.calls.length, server, tool, start: i, open: is_call ? open : -1, close: is_call ? close : -1, name });
}
function plan_add_dynamic(what, i) {
  if (plan_found.dynamic.length < plan_limit) plan_found.dynamic.push({ what, ...plan_position(i) });
}

// The text of a string without escapes; undefined for everything else.
function plan_string(i) {
  if (plan_type(i) !== tt.string) return undefined;
  const text = plan_word(i);
  return text.includes('\\') ? undefined : text.slice(1, -1);
}

// The members that follow the token `from`, at most `count`: { names, beyond }.
function plan_members(from, count) {
  const names = [];
  let beyond = from + 1;
  while (names.length < count) {
    while (plan_type(beyond) === tt.nonNullAssertion) beyond++;
    const is_dot = plan_type(beyond) === tt.dot || plan_type(beyond) === tt.questionDot;
    const bracket = plan_type(beyond) === tt.questionDot ? beyond + 1 : beyond;
    if (plan_type(bracket) === tt.bracketL) {
      const text = plan_string(bracket + 1);
      if (text === undefined || plan_type(bracket + 2) !== tt.bracketR) break;
      names.push(text);
      beyond = bracket + 3;
    } else if (is_dot && plan_is_word(beyond + 1) && !plan_word(beyond + 1).includes('\\')) {
      names.push(plan_word(beyond + 1));
      beyond += 2;
    } else {
      break;
    }
  }
  return { names, beyond };
}

// Whether what ends before the token `i` is all of an initializer.
function plan_ends(i) {
  const type = plan_type(i);
  if (type === tt.semi || type === tt.comma || type === tt.braceR || type === tt.eof) return true;
  if (!plan_is_word(i) || type === tt._in || type === tt._instanceof) return false;
  const word = plan_word(i);
  return word !== 'as' && word !== 'satisfies' && /[\r\n]/.test(plan_text.slice(plan_tokens[i - 1].end, plan_tokens[i].start));
}

// `{ a, b: c, d: { e } }` from its opening brace: [{ key, name | pattern }, ...]; undefined if it is not as plain as that.
function plan_pattern(open) {
  const entries = [];
  let i = open + 1;
  while (plan_type(i) !== tt.braceR) {
    let key = plan_string(i);
    if (key === undefined) {
      if (!plan_is_word(i) || plan_word(i).includes('\\')) return undefined;
      key = plan_word(i);
    }
    const entry = { key, at: i, name: key, pattern: undefined };
    i++;
    if (plan_type(i) === tt.colon) {
      if (plan_type(i + 1) === tt.braceL) {
        entry.pattern = plan_pattern(i + 1);
        if (entry.pattern === undefined) return undefined;
        i = entry.pattern.end + 1;
      } else if (plan_type(i + 1) === tt.name && !plan_word(i + 1).includes('\\')) {
        entry.name = plan_word(i + 1);
        i += 2;
      } else {
        return undefined;
      }
    }
    entries.push(entry);
    if (plan_type(i) === tt.comma) i++;
    else if (plan_type(i) !== tt.braceR) return undefined;
  }
  return { entries, end: i };
}

function plan_opening(close) {
  let depth = 0;
  for (let i = close; i >= 0; i--) {
    const type = plan_type(i);
    if (type === tt.braceR) depth++;
    else if ((type === tt.braceL || type === tt.dollarBraceL) && --depth === 0) return i;
  }
  return -1;
}

// Takes `server`, or all servers where that is null, apart by the pattern. False if it cannot be followed.
function plan_take_apart(pattern, server) {
  for (const entry of pattern.entries) {
    if (entry.pattern !== undefined) {
      if (server !== null) return false;
      if (!plan_take_apart(entry.pattern, entry.key)) return false;
    } else if (server === null) {
      plan_found.aliases.set(entry.name, entry.key);
    } else {
      plan_add_call(server, entry.key, entry.at, plan_tokens.length, entry.name);
      plan_add_tool(server, entry.key, entry.at);
    }
  }
  return true;
}

// The name at `i`, mentioned from `start` on, stands for a server or for all of them.
function plan_use(start, i, server) {
  const wanted = server === null ? 2 : 1;
  const { names, beyond } = plan_members(i, wanted);
  if (names.length === wanted) {
    const [on, tool] = server === null ? names : [server, names[0]];
    plan_add_call(on, tool, start, beyond, undefined);
    return plan_add_tool(on, tool, start);
  }
  const of = server === null ? names[0] ?? null : server;
  const shown = (of === null ? 'mcp' : `mcp[${JSON.stringify(of)}]`).slice(0, 200);
  const is_computed = plan_type(beyond) === tt.bracketL || (plan_type(beyond) === tt.questionDot && plan_type(beyond + 1) === tt.bracketL);
  if (is_computed) return plan_add_dynamic(`${of === null ? 'the server' : 'the tool'} is computed: ${shown}[...]`, start);
  const before = plan_type(start - 1);
  if (before === tt.eq && plan_ends(beyond)) {
    if (plan_type(start - 2) === tt.name && plan_is_declared(start - 2) && !plan_word(start - 2).includes('\\')) {
      plan_found.aliases.set(plan_word(start - 2), of);
      return;
    }
    const open = plan_type(start - 2) === tt.braceR ? plan_opening(start - 2) : -1;
    const pattern = open > 0 && plan_declaring.has(plan_type(open - 1)) ? plan_pattern(open) : undefined;
    if (pattern !== undefined && pattern.end === start - 2 && plan_take_apart(pattern, of)) return;
  }
  if (before === tt._typeof || before === tt._in) return;
  const is_listed = before === tt.parenL && plan_type(beyond) === tt.parenR && plan_type(start - 2) === tt.name &&
    plan_word(start - 2) === 'keys' && plan_type(start - 3) === tt.dot && plan_word(start - 4) === 'Object';
  if (is_listed) return;
  plan_add_dynamic(`${shown} is used as a value`, start);
}

// For every token, whether it is in a function that has a `this` of its own.
function plan_own_this() {
  const inside = new Uint8Array(plan_tokens.length);
  const stack = [];      // of brackets: { type, at, owns }
  let depth = 0;         // of those around that own a `this`
  const classes = [];    // how many brackets are open where a class waits for its body
  let last_open = -1;    // where the bracket opened that was closed last
  for (let i = 0; i < plan_tokens.length; i++) {
    inside[i] = depth > 0 ? 1 : 0;
    const type = plan_type(i);
    if (type === tt._class && plan_type(i - 1) !== tt.dot) classes.push(stack.length);
    if (type === tt.braceL || type === tt.dollarBraceL || type === tt.parenL || type === tt.bracketL) {
      let owns = false;
      if (type === tt.braceL && classes.length > 0 && classes[classes.length - 1] === stack.length) {
        classes.pop();
        owns = true;
      } else if (type === tt.braceL && plan_type(i - 1) === tt.parenR && last_open > 0) {
        const head = plan_type(last_open - 1);
        const is_block = plan_block_heads.has(head) || (head === tt.name && plan_word(last_open - 1) === 'await');
        // A call may end a line and a block begin the next one.
        owns = !is_block && !/[\r\n]/.test(plan_text.slice(plan_tokens[i - 1].end, plan_tokens[i].start));
      }
      stack.push({ at: i, owns });
      if (owns) depth++;
    } else if (type === tt.braceR || type === tt.parenR || type === tt.bracketR) {
      const opened = stack.pop();
      last_open = opened?.at ?? -1;
      if (opened?.owns) depth--;
    }
  }
  return inside;
}

function plan_read() {
  plan_found = { keys: new Map(), tools: [], calls: [], is_whole: true, dynamic: [], aliases: new Map() };
  const has_own_this = plan_own_this();
  for (let i = 0; i < plan_tokens.length; i++) {
    const type = plan_type(i);
    if (type === tt._this && plan_type(i - 1) !== tt.dot && has_own_this[i] === 0) plan_add_dynamic('this is the global object', i);
    if (type === tt.regexp && /\bmcp\b/.test(plan_word(i))) plan_add_dynamic('a regular expression that may be code', i);
    if (type === tt.string && plan_string(i) === 'constructor') plan_add_dynamic('code made at run time', i);
    if (!plan_is_word(i)) continue;
    const word = plan_word(i);
    if (word.includes('\\')) plan_add_dynamic('a name with escapes', i);
    const is_member = plan_type(i - 1) === tt.dot || plan_type(i - 1) === tt.questionDot;
    if (word === 'constructor' && is_member && !(plan_type(i + 1) === tt.dot && plan_is_word(i + 2) && plan_word(i + 2) === 'name')) {
      plan_add_dynamic('code made at run time', i);
    }
    if (type !== tt.name || is_member || plan_tokens[i].identifierRole === IdentifierRole.ObjectKey) continue;
    if (plan_code_makers.has(word)) plan_add_dynamic('code made at run time', i);
    if (plan_is_declared(i) || plan_is_shorthand_declaration(i)) continue;
    if (word === 'globalThis') {
      const { names, beyond } = plan_members(i, 1);
      if (names.length === 0) plan_add_dynamic('globalThis is used as a value', i);
      else if (plan_code_makers.has(names[0])) plan_add_dynamic('code made at run time', i);
      else if (plan_names.has(names[0])) plan_use(i, beyond - 1, plan_names.get(names[0]));
      continue;
    }
    if (plan_names.has(word)) plan_use(i, i, plan_names.get(word));
  }
  return plan_found;
}

// Calls as they are reported: whose values they are given (`from`), what is waited for before them (`after`).
function plan_told_calls(calls) {
  const listed = [];
  for (const { id, server, tool, start, close, from, after } of calls) {
    const when = plan_when(start);
    const is_repeated = when.some((text) => /^(for|while) \(|^in /.test(text));
    const is_conditional = when.some((text) => !/^(for|while) \(|^in /.test(text));
    listed.push({ id, server, tool, ...plan_position(start), when, from, after, is_conditional, is_repeated, is_mentioned: close < 0 });
  }
  return listed;
}

// { tools: [{ server, tool, line, column, when: [condition, ...] }], calls: [...], flows_known, dynamic: [{ what, line, column }] }
// of code that V8 can read.
// `servers` are those whose names are globals of the program.
const plan_tools = (code, servers) => {
  const unread = { tools: [], calls: [], flows_known: false, dynamic: [{ what: 'the code could not be read', line: 1, column: 1 }] };
  const plain = code.replace(/^\uFEFF/, '').replace(/^#!/, '//');
  let parsed;
  for (const [before, after] of [['(async()=>{\n', '\n})'], ['(async()=>(\n', '\n))']]) {
    plan_text = before + plain + after;
    parsed = parse_types(plan_text);
    if (parsed === null) return unread;
    if (parsed !== undefined) break;
  }
  if (parsed === undefined) return unread;
  plan_tokens = parsed;
  plan_when = when_reached(plan_text, plan_tokens);
  plan_lines = [0];
  for (let at = plan_text.indexOf('\n'); at >= 0; at = plan_text.indexOf('\n', at + 1)) plan_lines.push(at + 1);
  const roots = [['mcp', null]];
  for (const server of servers) roots.push([server, server]);
  plan_names = new Map(roots);
  // An alias may stand below its use, or be made of another.
  for (let round = 0; round < 10; round++) {
    const { tools, calls, is_whole, dynamic, aliases } = plan_read();
    const known = plan_names.size;
    for (const [alias, server] of aliases) {
      if (!plan_names.has(alias)) plan_names.set(alias, server);
      else if (plan_names.get(alias) !== server) dynamic.push({ what: `${alias.slice(0, 200)} stands for several servers`, line: 1, column: 1 });
    }
    if (plan_names.size === known) {
      const flows_known = follow_calls(calls) && is_whole;
      return { tools, calls: plan_told_calls(calls), flows_known, dynamic };
    }
  }
  return unread;
};

host.functions.plan_tools = (code, servers) => {
  const globals = [];
  for (const server of servers) if (host.internal.is_global_server(server)) globals.push(server);
  return plan_tools(code, globals);
};
