// D07: a start-up file made elsewhere and moved into its place, or its place moved over it
// with: files.js
// files: repo/.git/config = before
// files: repo/.git/hooks/old = before
// files: repo/readme = x
// files: home/.config/other/x = x
// files: home/.local/x = x
// files: home/.github/x = x
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder} --max-log 10MB
// expect: {"result": {"wrong": [], "config": "before"}}
const at = (name) => '{folder}/' + name;
const make = (name, ...files) => { for (const file of files) { const path = at(name + '/' + file); Deno.mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true }); Deno.writeTextFileSync(path, '#!/bin/sh'); } };
make('g', 'hooks/pre-commit', 'config', 'HEAD');
make('conf', 'git/config', 'systemd/user/x.service', 'autostart/x.desktop', 'fish/config.fish');
make('loc', 'share/systemd/user/x.service');
make('sha', 'systemd/user/x.service');
make('nm', 'bin/tool');
make('gh', 'workflows/ci.yml');
const moves = { git: ['g', 'repo2/.git'], gitNested: ['g', 'repo/.git/modules'], gitReplace: ['g', 'repo/.git'], hooks: ['g/hooks', 'repo/.git/hooks'], hookFile: ['g/hooks/pre-commit', 'repo/.git/hooks/pre-commit'],
  config: ['conf', '.config'], configDeep: ['conf', 'a/.config'], configGit: ['conf/git', 'home/.config/git'], configCase: ['conf', '.CONFIG'], local: ['loc', '.local'], localShare: ['sha', 'home/.local/share'], nodeModules: ['nm', 'node_modules'],
  nodeBin: ['nm/bin', 'home/node_modules/.bin'], workflows: ['gh/workflows', 'home/.github/workflows'], github: ['gh', '.github'], env: ['spare.txt', '.env'], gitAway: ['repo/.git', 'taken'], gitFile: ['spare.txt', 'repo3/.git'] };
for (const name of ['repo2', 'repo3', 'a', 'home/node_modules']) Deno.mkdirSync(at(name), { recursive: true });
const wrong = Object.entries(moves).flatMap(([name, [from, to]]) => other_than(['PermissionDenied'], { [name]: () => Deno.renameSync(at(from), at(to)) }, from + ' -> ' + to));
wrong.push(...other_than(['PermissionDenied'], { removeRepo: () => Deno.removeSync(at('repo'), { recursive: true }), copy: () => Deno.copyFileSync(at('g/config'), at('repo/.git/config')), mkdirs: () => Deno.mkdirSync(at('n/.git/hooks'), { recursive: true }) }, ''));
// The repository may be moved as a whole; it keeps its protection.
Deno.renameSync(at('repo'), at('moved'));
wrong.push(...other_than(['PermissionDenied'], { moved: () => Deno.writeTextFileSync(at('moved/.git/config'), 'x'), movedHook: () => Deno.writeTextFileSync(at('moved/.git/hooks/x'), 'x') }, 'moved'));
Deno.renameSync(at('moved'), at('repo'));
return { wrong, config: Deno.readTextFileSync(at('repo/.git/config')) };
