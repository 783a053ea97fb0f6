// D04: a hard link to a file outside is never written through; its name may be removed and replaced
// with: files.js
// files: spare.txt = spare
// files: hard (hard-link {outside}/victim.txt)
// files: hard2 (hard-link {outside}/victim.txt)
// files: hard3 (hard-link {outside}/victim.txt)
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": []}
const wrong = other_than(['PermissionDenied'], {
  write: () => Deno.writeTextFileSync('{folder}/hard', 'guest'), append: () => Deno.writeTextFileSync('{folder}/hard', 'guest', { append: true }),
  existing: () => Deno.writeTextFileSync('{folder}/hard', 'guest', { create: false }), mode: () => Deno.writeTextFileSync('{folder}/hard', '', { append: true, mode: 0o600 }),
  empty: () => Deno.writeFileSync('{folder}/hard', new Uint8Array(0)), copy: () => Deno.copyFileSync('{folder}/spare.txt', '{folder}/hard'),
}, 'hard');
Deno.removeSync('{folder}/hard');
Deno.renameSync('{folder}/spare.txt', '{folder}/hard2');
Deno.writeTextFileSync('{folder}/hard2', 'guest');
Deno.renameSync('{folder}/hard3', '{folder}/hard4');
wrong.push(...other_than(['PermissionDenied'], { moved: () => Deno.writeTextFileSync('{folder}/hard4', 'guest') }, 'hard4'));
return wrong;
