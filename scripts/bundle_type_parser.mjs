// Makes one prelude file of sucrase's parser and of src/guest/types at configure time: all modules in one scope,
// without comments and without the parts for Flow and JSX, which are never called. A cold process pays for every place
// where a property is looked up for the first time, so calls between modules go straight and names of constants become
// numbers.
//   bundle_type_parser.mjs SUCRASE_DIST OUT_JS OWN_JS...
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const [dist, out, ...own] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const { parse } = require(join(dist, 'parser/index.js'));

const complain = (what) => {
  console.error(`${dist}: ${what}; look at what changed in sucrase`);
  process.exit(1);
};

const constants = { __proto__: null };
for (const [module, name, alias = name] of [['tokenizer/types', 'TokenType', 'tt'],
  ['tokenizer/index', 'IdentifierRole'], ['tokenizer/keywords', 'ContextualKeyword'],
  ['util/charcodes', 'charCodes']]) {
  constants[name] = constants[alias] = require(join(dist, 'parser', `${module}.js`))[name];
}
const flags = { __proto__: null, isFlowEnabled: 'false', isJSXEnabled: 'false', isTypeScriptEnabled: 'true' };

// Line breaks stay, since a statement may end at one.
const without_comments = (text) => {
  let result = '', end = 0;
  for (const token of parse(text, false, false, false).tokens) {
    const gap = text.slice(end, token.start);
    result += gap.includes('\n') ? '\n' : gap === '' ? '' : ' ';
    result += text.slice(token.start, token.end);
    end = token.end;
  }
  return result;
};

const with_numbers = (text) => text.replace(/(?<![\w.$])(\w+)\.(\w+)\b/g, (whole, name, member) => {
  if (!(name in constants)) return whole;
  const value = constants[name][member];
  return typeof value === 'number' ? `${value}` : complain(`${name} has no ${member}`);
});

// What is never called, and the modules that hold nothing but constants or messages.
const left_out = new Map([['parser/plugins/flow', ''], ['parser/plugins/jsx/index', ''], ['parser/util/charcodes', ''],
  ['parser/tokenizer/keywords', ''], ['parser/tokenizer/types', 'const formatTokenType = String;']]);
const texts = [];
const seen = new Set();
const add = (name) => {
  if (seen.has(name)) return;
  seen.add(name);
  if (left_out.has(name)) {
    texts.push(left_out.get(name));
    return;
  }
  let text = without_comments(readFileSync(join(dist, 'esm', `${name}.js`), 'utf8'));
  text = text.replace(/^import\s*[^"]*?from "([^"]*)";$/gm, (_, path) => {
    const wanted = posix.join(posix.dirname(name), path);
    add(wanted === 'parser/tokenizer' || wanted === 'parser/plugins/jsx' ? `${wanted}/index` : wanted);
    return '';
  });
  text = text.replace(/^export (default )?(?=function|class|const|let|var)/gm, '');
  if (/^(import|export)\b/m.test(text)) complain(`${name} imports or exports in an unknown way`);
  // The enum is made of these very names.
  if (name !== 'parser/tokenizer/index') text = with_numbers(text);
  else text = text.replace(/^(?!.*IdentifierRole\[).*$/gm, with_numbers);
  // There they are variables.
  if (name !== 'parser/traverser/base' && name !== 'parser/index') {
    text = text.replace(/(?<!\.)\bis(Flow|JSX|TypeScript)Enabled\b/g, (flag) => flags[flag]);
  }
  texts.push(text);
};
add('parser/index');
for (const name of left_out.keys()) if (!seen.has(name)) complain(`nothing imports ${name}`);
for (const file of own) texts.push(with_numbers(without_comments(readFileSync(file, 'utf8'))));

// A prefix on every name, by which a flag of V8 recognises these functions: see kFlags in src/guest/engine.cc.
const { IdentifierRole: role, TokenType: kind } = constants;
const with_prefix = (text) => {
  const { tokens } = parse(text, false, false, false);
  const name_of = ({ start, end }) => text.slice(start, end);
  const declared = new Set();
  for (const token of tokens) {
    if (token.identifierRole !== role.TopLevelDeclaration) continue;
    if (declared.has(name_of(token))) complain(`two modules declare ${name_of(token)}`);
    declared.add(name_of(token));
  }
  let result = '', from = 0;
  tokens.forEach((token, i) => {
    if (token.type !== kind.name || !declared.has(name_of(token)) || token.identifierRole === role.ObjectKey) return;
    if (i > 0 && (tokens[i - 1].type === kind.dot || tokens[i - 1].type === kind.questionDot)) return;
    const { identifierRole } = token;
    if (identifierRole >= role.ObjectShorthandTopLevelDeclaration && identifierRole <= role.ObjectShorthand) {
      complain(`${name_of(token)} is the name of a property, too`);
    }
    result += text.slice(from, token.start) + 'types_';
    from = token.start;
  });
  return result + text.slice(from);
};

writeFileSync(out, `'use strict';\n${with_prefix(texts.join('\n'))}\n`);
