// D05: pipes and sockets: refused at once, never waited for, never removed
// with: files.js
// files: spare.txt = spare
// files: pipe (fifo)
// files: gate (socket)
// files: to-pipe -> pipe
// files: tree/pipe (fifo)
// options: --allow-read={folder} --allow-write={folder} --timeout 4s
// expect: {"result": {"wrong": [], "kinds": [["gate", false, false, false], ["pipe", false, false, false]]}}
const spare = '{folder}/spare.txt';
const refused = ['PermissionDenied', 'NotADirectory ENOTDIR', 'AlreadyExists EEXIST', 'TypeError EINVAL'];
const wrong = ['pipe', 'gate', 'to-pipe'].flatMap((name) => {
  const path = '{folder}/' + name;
  const { stat, realPath, ...read } = reading(path);
  return other_than(refused, { ...read, ...writing(path, spare) }, name);
});
for (const name of ['pipe', 'gate']) {
  const { remove, removeAll, renameFrom, renameTo, copyFrom } = changing('{folder}/' + name, spare);
  wrong.push(...other_than(refused, { remove, removeAll, renameFrom, renameTo, copyFrom }, name));
}
wrong.push(...other_than(refused, { tree: () => Deno.removeSync('{folder}/tree', { recursive: true }) }, 'tree'));
const kinds = [...Deno.readDirSync('{folder}')].map((e) => [e.name, e.isFile, e.isDirectory, e.isSymlink]).filter(([name]) => name === 'pipe' || name === 'gate').sort();
return { wrong, kinds };
