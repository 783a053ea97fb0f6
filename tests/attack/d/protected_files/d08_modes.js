// D08: no setuid, no setgid, no sticky bit, nothing for the world that the umask takes, whatever is asked for; no more for it of what exists
// files: open.txt = open
// files: open.txt (mode 666)
// files: suid = suid
// files: suid (mode 6755)
// files: closed.txt = closed
// files: closed.txt (mode 600)
// files: shared/
// files: shared (mode 2777)
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": [[0, 0, 0, 0, 0, 0, 0, 0], "PermissionDenied", "PermissionDenied", 0]}
const mode = (name) => Deno.statSync('{folder}/' + name).mode & (name === 'closed.txt' || name.length > 8 ? 0o7007 : 0o7002);
Deno.writeTextFileSync('{folder}/a', 'x', { mode: 0o7777 });
Deno.writeTextFileSync('{folder}/b', 'x', { mode: 0o4755, createNew: true });
Deno.mkdirSync('{folder}/c', { mode: 0o7777 });
Deno.mkdirSync('{folder}/d/e/f', { mode: 0o1777, recursive: true });
Deno.copyFileSync('{folder}/suid', '{folder}/g');
Deno.copyFileSync('{folder}/open.txt', '{folder}/h');
Deno.writeTextFileSync('{folder}/closed.txt', 'x', { mode: 0o7777 });
Deno.writeTextFileSync('{folder}/shared/i', 'x', { mode: 0o7777 });
const name_of = (work) => { try { work(); return 'done'; } catch (error) { return error.name; } };
return [['a', 'b', 'c', 'd/e/f', 'g', 'h', 'closed.txt', 'shared/i'].map(mode), name_of(() => Deno.writeTextFileSync('{folder}/suid', 'x')), name_of(() => Deno.copyFileSync('{folder}/a', '{folder}/suid')), mode(Deno.makeTempFileSync({ dir: '{folder}' }).slice('{folder}/'.length))];
