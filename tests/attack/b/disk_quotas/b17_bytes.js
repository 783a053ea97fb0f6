// B17: the disk filled by bytes: the quota is for all files together, and what was deleted still counts
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder} --max-write 1MB
// expect: {"result": {"one": "Error ENOSPC", "append": "Error ENOSPC", "copy": "Error ENOSPC", "loop": "Error ENOSPC", "bounded": true}}
const kb = new Uint8Array(300 * 1024);
Deno.writeFileSync('{folder}/a0', kb);
const copy = outcome_of(() => { for (let i = 0; i < 100; i++) Deno.copyFileSync('{folder}/a0', '{folder}/copy' + i); }).error;
const append = outcome_of(() => { for (let i = 0; i < 100; i++) Deno.writeFileSync('{folder}/append', kb, { append: true }); }).error;
const loop = outcome_of(() => { for (let i = 0; i < 100; i++) { Deno.writeFileSync('{folder}/loop', kb); Deno.removeSync('{folder}/loop'); } }).error;
const one = outcome_of(() => Deno.writeFileSync('{folder}/one', new Uint8Array(2 << 20))).error;
const sum = [...Deno.readDirSync('{folder}')].reduce((total, entry) => total + Deno.statSync('{folder}/' + entry.name).size, 0);
return { one, append, copy, loop, bounded: sum <= (1 << 20) + 5 };
