// D01: what means a way out elsewhere is a plain name here: backslashes, percent signs, colons, tildes, three dots
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": {"missing": [], "made": 11}}
const names = ['..\\outside\\canary.txt', '%2e%2e', '%2e%2e%2foutside', '...', '.. ', ' ..', '~', '$HOME', 'C:', '\u2025', 'a\nb'];
const missing = names.flatMap((name) => other_than(['NotFound ENOENT'], reading('{folder}/' + name + '/outside/canary.txt'), name));
for (const name of names) Deno.writeTextFileSync('{folder}/' + name, 'inside');
return { missing, made: names.filter((name) => Deno.readTextFileSync('{folder}/' + name) === 'inside').length };
