// D05: a folder as a file, and a file as a folder
// with: files.js
// files: spare.txt = spare
// files: dir/x.txt = x
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": {"readFile": "IsADirectory EISDIR", "readTextFile": "IsADirectory EISDIR", "write": "IsADirectory EISDIR", "append": "IsADirectory EISDIR", "existing": "IsADirectory EISDIR", "copyTo": "IsADirectory EISDIR", "copyFrom": "TypeError EINVAL", "remove": "Error ENOTEMPTY", "readDir": "NotADirectory ENOTDIR", "tempFile": "NotADirectory ENOTDIR", "beneath": "NotADirectory ENOTDIR", "over": "IsADirectory EISDIR", "into": "TypeError EINVAL"}}
const spare = '{folder}/spare.txt', dir = '{folder}/dir';
const { readFile, readTextFile } = reading(dir);
const { write, append, existing, copyTo } = writing(dir, spare);
const { copyFrom, remove } = changing(dir, spare);
const calls = { readFile, readTextFile, write, append, existing, copyTo, copyFrom, remove, readDir: reading(spare).readDir, tempFile: writing(spare, dir).tempFile,
  beneath: () => Deno.writeTextFileSync(spare + '/x', 'x'), over: () => Deno.renameSync(spare, dir), into: () => Deno.renameSync(dir, dir + '/inner') };
return Object.fromEntries(Object.entries(calls).map(([name, work]) => [name, outcome_of(work).error]));
