// D09: a guest that makes its own deep tree, and moves it ever deeper
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder} --timeout 60s
// expect: {"result": {"made": "Error ENAMETOOLONG", "alive": "spare", "remove": "Error EFBIG"}}
const name = 'd'.repeat(24) + '/';
let made;
for (let depth = 20; depth < 300 && !made; depth += 20) made = outcome_of(() => Deno.mkdirSync('{folder}/' + name.repeat(depth), { recursive: true })).error;
return { made, alive: Deno.readTextFileSync('{folder}/spare.txt'), remove: outcome_of(() => Deno.removeSync('{folder}/' + name, { recursive: true })).error };
