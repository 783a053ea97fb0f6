// D02: links into /proc, whose entries lead to whatever the gateway has open
// with: files.js
// files: spare.txt = spare
// files: root -> /proc/self/root
// files: cwd -> /proc/self/cwd
// files: exe -> /proc/self/exe
// files: fd -> /proc/self/fd
// files: fd0 -> /proc/self/fd/0
// files: environ -> /proc/self/environ
// files: mem -> /proc/self/mem
// files: maps -> /proc/self/maps
// files: task -> /proc/thread-self/root
// files: init -> /proc/1/root
// files: stdin -> /dev/stdin
// files: devfd -> /dev/fd
// files: ns -> /proc/self/ns/net
// files: map_files -> /proc/self/map_files
// options: --allow-read={folder} --allow-write={folder} --max-log 10MB
// expect: {"result": []}
const ways = ['root', 'cwd', 'exe', 'fd', 'fd0', 'environ', 'mem', 'maps', 'task', 'init', 'stdin', 'devfd', 'ns', 'map_files', 'root{outside}/victim.txt', 'cwd/canary.txt',
  'task{outside}/victim.txt', 'init/etc/passwd', 'fd/0', 'fd/1', 'devfd/3', 'root/proc/self/environ'];
for (let i = 3; i < 40; i++) ways.push('fd/' + i, 'fd/' + i + '/canary.txt');
return ways.flatMap((way) => other_than(['PermissionDenied'], { ...reading('{folder}/' + way), ...writing('{folder}/' + way, '{folder}/spare.txt') }, way));
