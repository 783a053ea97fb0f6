// B17: the disk filled by files and folders without a byte in them
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder} --max-files 50
// expect: {"result": {"files": "Error ENOSPC", "dirs": "Error ENOSPC", "deep": "Error ENOSPC", "temp": "Error ENOSPC", "tempDir": "Error ENOSPC", "copy": "Error ENOSPC", "entries": true}}
const until = (work) => outcome_of(() => { for (let i = 0; i < 200; i++) work(i); }).error;
const files = until((i) => Deno.writeTextFileSync('{folder}/f' + i, ''));
const dirs = until((i) => Deno.mkdirSync('{folder}/d' + i));
const deep = outcome_of(() => Deno.mkdirSync('{folder}/e' + '/e'.repeat(100), { recursive: true })).error;
const temp = until(() => Deno.makeTempFileSync({ dir: '{folder}' }));
const tempDir = until(() => Deno.makeTempDirSync({ dir: '{folder}' }));
const copy = until((i) => Deno.copyFileSync('{folder}/spare.txt', '{folder}/c' + i));
return { files, dirs, deep, temp, tempDir, copy, entries: [...Deno.readDirSync('{folder}')].length <= 51 };
