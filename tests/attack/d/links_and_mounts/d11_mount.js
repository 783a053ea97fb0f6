// D11: a mount beneath the granted folder is not part of it
// with: files.js
// files: spare.txt = spare
// files: mnt (mount {outside})
// files: tree/inner/mnt (mount {outside})
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": []}
const spare = '{folder}/spare.txt';
const refused = ['PermissionDenied', 'Busy EBUSY', 'NotFound ENOENT', 'Error EXDEV', 'AlreadyExists EEXIST', 'TypeError EINVAL', 'IsADirectory EISDIR'];
return ['mnt', 'mnt/canary.txt', 'mnt/victim.txt', 'mnt/new', 'tree/inner/mnt/victim.txt'].flatMap((name) => {
  const { lstat, ...rest } = everything('{folder}/' + name, spare);
  return other_than(refused, rest, name);
}).concat(other_than(refused, { tree: () => Deno.removeSync('{folder}/tree', { recursive: true }), move: () => Deno.renameSync('{folder}/tree', '{folder}/mnt/tree') }, 'tree'));
