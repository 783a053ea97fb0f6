// D07: what is granted by its exact name may be written, and nothing of its kind beside it
// with: files.js
// files: .git/config = before
// files: .git/hooks/x = before
// files: .env = before
// options: --allow-read={folder} --allow-write={folder},{folder}/.env,{folder}/.git/config
// expect: {"result": []}
Deno.writeTextFileSync('{folder}/.env', 'granted');
Deno.writeTextFileSync('{folder}/.git/config', 'granted');
return ['.env.local', '.git/hooks/x', '.git/hooks/y', '.git/HEAD', 'sub/.env', '.git/config.worktree', '.ENV', '.git/config/x', '.env/x'].flatMap((name) =>
  other_than(['PermissionDenied', 'NotADirectory ENOTDIR', 'NotFound ENOENT'], { write: () => Deno.writeTextFileSync('{folder}/' + name, 'x'), rename: () => Deno.renameSync('{folder}/.env', '{folder}/' + name) }, name)).concat(
  other_than(['PermissionDenied'], { git: () => Deno.renameSync('{folder}/.git', '{folder}/g'), remove: () => Deno.removeSync('{folder}/.git', { recursive: true }) }, '.git'));
