// D09: the granted folder itself renamed, removed, replaced, and used by its old name
// with: files.js
// files: a/x.txt = x
// files: b/y.txt = y
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": []}
const wrong = [];
wrong.push(...other_than(['PermissionDenied'], { out: () => Deno.renameSync('{folder}', '{outside}/taken'), beside: () => Deno.renameSync('{folder}', '{folder}2'), over: () => Deno.renameSync('{folder}/a', '{outside}'), swap: () => Deno.renameSync('{outside}', '{folder}/a'), parent: () => Deno.renameSync('{folder}/..', '{folder}/a') }, ''));
wrong.push(...other_than(['TypeError EINVAL', 'Error ENOTEMPTY', 'Busy EBUSY'], { into: () => Deno.renameSync('{folder}', '{folder}/a/b'), self: () => Deno.renameSync('{folder}/a', '{folder}/a/c'), full: () => Deno.renameSync('{folder}/a', '{folder}/b') }, ''));
const gone = outcome_of(() => Deno.removeSync('{folder}', { recursive: true }));
outcome_of(() => Deno.mkdirSync('{folder}'));
outcome_of(() => Deno.mkdirSync('{folder}/../outside/made'));
outcome_of(() => Deno.writeTextFileSync('{folder}/back.txt', 'x'));
return wrong;
