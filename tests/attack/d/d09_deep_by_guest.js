// D09: a guest that makes its own deep tree, and moves it ever deeper
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder} --timeout 10s
// expect: {"result": {"made": "Error ENAMETOOLONG", "alive": "spare", "remove": "Error EFBIG"}}
let made;
for (let i = 0; i < 40 && !made; i++) {
  const path = '{folder}/' + 'd/'.repeat(60 * i).replace(/\/$/, '');
  made = outcome_of(() => Deno.mkdirSync('{folder}/' + 'd/'.repeat(60 * (i + 1)), { recursive: true })).error;
}
return { made, alive: Deno.readTextFileSync('{folder}/spare.txt'), remove: outcome_of(() => Deno.removeSync('{folder}/d', { recursive: true })).error };
