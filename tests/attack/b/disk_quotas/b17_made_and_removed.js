// B17: files made and removed in a loop wear the disk as well: they count, too
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder} --max-files 50
// expect: {"result": ["Error ENOSPC", 50]}
let made = 0;
return [outcome_of(() => { for (; made < 1000; made++) { Deno.writeTextFileSync('{folder}/f', ''); Deno.removeSync('{folder}/f'); } }).error, made];
