// D01: paths that say one thing when they are checked and another when they are used
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": {"wrong": [], "asked": 0}}
let asked = 0;
const shifting = { toString: () => (asked++ ? '{outside}/canary.txt' : '{folder}/spare.txt'), [Symbol.toPrimitive]() { return this.toString(); } };
const url = new URL('file://{folder}/spare.txt');
Object.defineProperty(url, 'pathname', { get: () => (asked++ ? '{outside}/canary.txt' : '{folder}/spare.txt') });
const wrong = [shifting, new String('{folder}/spare.txt'), ['{folder}/spare.txt'], { pathname: '{outside}/canary.txt', protocol: 'file:', __proto__: URL.prototype }, 1, null, undefined, Symbol('x')]
  .flatMap((path) => other_than(['TypeError', 'PermissionDenied'], { ...reading(path), ...looking(path), ...writing(path, '{folder}/spare.txt') }, String(typeof path)));
URL.prototype.toString = () => '{outside}/canary.txt';
String.prototype.toString = () => '{outside}/canary.txt';
const kept = asked;
outcome_of(() => Deno.readTextFileSync(url));
wrong.push(...(outcome_of(() => Deno.readTextFileSync('{folder}/spare.txt')).value === 'spare' ? [] : ['a text is taken for another']));
return { wrong, asked: kept };
