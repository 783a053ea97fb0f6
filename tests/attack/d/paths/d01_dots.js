// D01: dots, slashes and absolute paths that lead out of the granted folder, through every call
// with: files.js
// files: spare.txt = spare
// files: sub/x.txt = x
// options: --allow-read={folder} --allow-write={folder} --max-log 10MB
// expect: {"result": [], "metrics": {"callsDenied": 520}}
const outside = ['{outside}/canary.txt', '{outside}', '{outside}/new', '/', '/etc/passwd', '/proc/self/environ', '//etc//passwd',
  '{folder}/..', '{folder}/../', '{folder}/../canary.txt', '{folder}/../outside/victim.txt', '{folder}/sub/../../outside/victim.txt',
  '{folder}//..//outside//victim.txt', '{folder}/./.././outside/./victim.txt', '{folder}/nothing/../../outside/victim.txt',
  '{folder}/spare.txt/../../outside/victim.txt', '{folder}/../root2', '{folder}x', '{folder}-', '/..{outside}/victim.txt',
  '{folder}/../../../../../../../../../../etc/passwd', '/../../etc/passwd', '{folder}/sub/' + '../'.repeat(300) + 'etc/passwd',
  '/proc/self/root{outside}/victim.txt', '/proc/1/root/etc/passwd', '/dev/fd/3'];
return outside.flatMap((path) => other_than(['PermissionDenied'], everything(path, '{folder}/spare.txt'), path));
