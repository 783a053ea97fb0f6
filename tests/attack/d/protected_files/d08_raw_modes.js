// D08: modes as only a raw call can have them
// guest: probe
// with: frames.js
// with: calls.js
// files: old.txt = old
// files: old.txt (mode 600)
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": []}
const wrong = [];
let n = 0;
for (const mode of [-1, 0o104777, 4294967295, 4294967296 + 0o4777, 9007199254740991, -2147483648, 0o170000, 0o4000, 0o2000, 0o1000, 0o7]) {
  const path = '{folder}/m' + n++;
  call('fs.write', { path, create: true, mode }, utf8('x'));
  call('fs.mkdir', { path: path + 'd', mode });
  call('fs.write', { path: '{folder}/old.txt', append: true, mode });
  for (const made of [path, path + 'd', '{folder}/old.txt']) {
    const { value } = call('fs.stat', { path: made });
    if (value && value.mode & (made.endsWith('old.txt') ? 0o7007 : 0o7002)) wrong.push([mode, made, value.mode]);
    if (value && !['file', 'directory'].includes(value.kind)) wrong.push([mode, made, value.kind]);
  }
}
return wrong;
