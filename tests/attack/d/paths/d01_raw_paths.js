// D01: the same as raw calls of a guest that is not itself any more
// guest: probe
// with: frames.js
// with: calls.js
// files: spare.txt = spare
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --max-log 10MB --timeout 20s
// expect: {"result": []}
const wrong = [];
const expect = (path, errors) => {
  for (const op of ['fs.read', 'fs.readDir', 'fs.stat', 'fs.lstat', 'fs.realPath', 'fs.mkdir', 'fs.remove', 'fs.write']) {
    const got = said(call(op, { path, recursive: true, create: true, mode: 0o7777 }));
    if (!errors.includes(got)) wrong.push(op + ' ' + path.slice(0, 60) + ': ' + got);
  }
  for (const op of ['fs.rename', 'fs.copy']) {
    for (const args of [{ path, to: '{folder}/to' }, { path: '{folder}/spare.txt', to: path }]) {
      const got = said(call(op, args));
      if (!errors.includes(got)) wrong.push(op + ' ' + JSON.stringify(args).slice(0, 80) + ': ' + got);
    }
  }
};
for (const path of ['/', '//', '/.', '/..', '{outside}/victim.txt', '{outside}', '{folder}/..', '{folder}/../outside/victim.txt', '{folder}/\u0000/../../outside/victim.txt',
  '{outside}/victim.txt\u0000{folder}/spare.txt', 'canary.txt', '.', '..', '/proc/self/environ', '/proc/self/fd/0', '/proc/thread-self/root{outside}/victim.txt',
  '\u0000', ' ', '\n', '~', 'x'.repeat(200000), '/'.repeat(200000), '../'.repeat(60000)]) expect(path, ['PermissionDenied']);
expect('{folder}/a\u0000b', ['TypeError EINVAL']);
expect('\u0000', ['PermissionDenied']);
expect('', ['Error']);
expect('{folder}/' + 'a/'.repeat(10000), ['Error ENAMETOOLONG']);
expect('{folder}/' + 'a'.repeat(200000), ['Error ENAMETOOLONG']);
for (const dir of ['{outside}', '{folder}/..', '/', 'x\u0000', '{folder}/../outside']) {
  for (const op of ['fs.makeTempDir', 'fs.makeTempFile']) if (said(call(op, { dir })) !== 'PermissionDenied') wrong.push(op + dir);
}
return wrong;
