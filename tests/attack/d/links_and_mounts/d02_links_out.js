// D02: links that lead out, plainly, in chains, by dots, to nothing, and by way of the granted folder
// with: files.js
// files: spare.txt = spare
// files: file -> {outside}/victim.txt
// files: secret -> {outside}/canary.txt
// files: dir -> {outside}
// files: up -> ..
// files: relative -> ../outside/victim.txt
// files: chain1 -> chain2
// files: chain2 -> chain3
// files: chain3 -> ../outside/victim.txt
// files: sub/back -> ../../outside
// files: root -> /
// files: self -> {folder}
// files: dangling -> {outside}/new.txt
// files: dangling-dir -> {outside}/new-dir
// files: nearly -> {folder}/../root2
// files: long -> ././././././././././././././././././././././././././././././././././../outside/victim.txt
// files: dotted -> sub/../../outside/victim.txt
// options: --allow-read={folder} --allow-write={folder} --max-log 10MB
// expect: {"result": {"wrong": [], "inside": "spare"}}
const spare = '{folder}/spare.txt';
const ways = ['file', 'secret', 'dir', 'up', 'relative', 'chain1', 'sub/back', 'root', 'dangling', 'dangling-dir', 'nearly', 'long', 'dotted', 'self/file',
  'dir/canary.txt', 'dir/new', 'up/canary.txt', 'up/outside/new', 'root/etc/passwd', 'root{outside}/victim.txt', 'sub/back/victim.txt',
  'self/self/self/up/outside/victim.txt', 'dangling-dir/x', 'nearly/x', 'self/dir/victim.txt', 'up/root/up/outside/victim.txt'];
const wrong = ways.flatMap((way) => other_than(['PermissionDenied', 'NotFound ENOENT'], { ...reading('{folder}/' + way), ...writing('{folder}/' + way, spare) }, way));
// Calls that act on the link itself find only what is inside.
for (const way of ['dir/victim.txt', 'up/outside/victim.txt', 'sub/back/canary.txt', 'root/etc/passwd', 'dir/new', 'self/dir/victim.txt']) {
  wrong.push(...other_than(['PermissionDenied', 'NotFound ENOENT'], { ...looking('{folder}/' + way), ...changing('{folder}/' + way, spare) }, way));
}
return { wrong, inside: Deno.readTextFileSync('{folder}/self/self/spare.txt') };
