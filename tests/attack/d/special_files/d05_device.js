// D05: device files beneath the granted folder
// with: files.js
// files: spare.txt = spare
// files: zero (device 1 5)
// files: null (device 1 3)
// files: tty (device 5 0)
// files: nobody (device 250 77)
// options: --allow-read={folder} --allow-write={folder} --timeout 4s
// expect: {"result": []}
const spare = '{folder}/spare.txt';
return ['zero', 'null', 'tty', 'nobody'].flatMap((name) => {
  const path = '{folder}/' + name;
  const { stat, realPath, ...read } = reading(path);
  const { remove, removeAll, renameFrom, renameTo, copyFrom } = changing(path, spare);
  return other_than(['PermissionDenied', 'NotADirectory ENOTDIR', 'AlreadyExists EEXIST', 'TypeError EINVAL'], { ...read, ...writing(path, spare), remove, removeAll, renameFrom, renameTo, copyFrom }, name);
});
