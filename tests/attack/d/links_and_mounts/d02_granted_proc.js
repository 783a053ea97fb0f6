// D02: granted /proc as a whole, a program still does not read what the gateway keeps to itself
// with: files.js
// files: spare.txt = spare
// vfs: direct
// options: --allow-read=/proc --allow-write={folder} --max-log 10MB
// expect: {"result": []}
const pid = Deno.realPathSync('/proc/self');
const ways = ['/proc/self', '/proc/thread-self', pid].flatMap((self) => ['environ', 'maps', 'mem', 'cmdline', 'auxv', 'stack', 'root/etc/passwd', 'cwd/canary.txt', 'exe', 'fd/0', 'fd/1', 'fdinfo/0', 'status', 'mountinfo', 'map_files', 'task/1/environ'].map((name) => self + '/' + name));
return ways.flatMap((way) => other_than(['PermissionDenied', 'PermissionDenied EACCES', 'PermissionDenied EPERM', 'NotFound ENOENT', 'TypeError EINVAL', 'IsADirectory EISDIR'], { read: () => Deno.readTextFileSync(way).slice(0, 20), bytes: () => Deno.readFileSync(way).length, copy: () => Deno.copyFileSync(way, '{folder}/copy') }, way));
