// D05: granted /dev, a program gets no device, and nothing through the links there
// with: files.js
// files: spare.txt = spare
// vfs: direct
// options: --allow-read=/dev --allow-write=/dev/null,/dev/full,{folder} --timeout 4s
// expect: {"result": []}
const wrong = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx', 'stdin', 'stdout', 'fd/0', 'fd/3', 'shm/x', 'pts/0', 'console'].flatMap((name) =>
  other_than(['PermissionDenied', 'PermissionDenied EACCES', 'NotFound ENOENT', 'Error EXDEV'], { read: () => Deno.readTextFileSync('/dev/' + name), copy: () => Deno.copyFileSync('/dev/' + name, '{folder}/copy') }, name));
wrong.push(...other_than(['PermissionDenied'], { null: () => Deno.writeTextFileSync('/dev/null', 'x'), full: () => Deno.copyFileSync('{folder}/spare.txt', '/dev/full') }, 'write'));
return wrong.filter((text) => !text.startsWith('copy') || !text.endsWith('TypeError EINVAL'));
