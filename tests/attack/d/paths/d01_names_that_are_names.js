// D01: what means a way out elsewhere is a plain name here: backslashes, percent signs, colons, tildes, three dots
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": {"missing": [], "denied": [], "made": 10}}
const names = ['a..\\..\\outside\\canary.txt', '%2e%2e', '%2e%2e%2foutside', 'a...', ' ..', '~', '$HOME', 'C:', '\u2025', 'a\nb'];
const missing = names.flatMap((name) => other_than(['NotFound ENOENT'], reading('{folder}/' + name + '/outside/canary.txt'), name));
// A dot in front keeps whatever follows from being written, unless a grant names it.
const dotted = ['..\\outside\\canary.txt', '...', '.. '];
const denied = dotted.flatMap((name) => other_than(['PermissionDenied'], { write: () => Deno.writeTextFileSync('{folder}/' + name, 'x') }, name));
for (const name of names) Deno.writeTextFileSync('{folder}/' + name, 'inside');
return { missing, denied, made: names.filter((name) => Deno.readTextFileSync('{folder}/' + name) === 'inside').length };
