// D01: paths that are none, or too long, or have a zero byte, inside the granted folder: a typed error, and nothing is made
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder} --timeout 20s --max-log 10MB
// expect: {"result": []}
const spare = '{folder}/spare.txt';
const wrong = [];
const expect = (path, errors, about) => wrong.push(...other_than(errors, { ...reading(path), ...looking(path), ...changing(path, spare) }, about ?? path));
expect('{folder}/a\0b', ['TypeError EINVAL'], 'zero byte');
expect('{folder}/spare.txt\0', ['TypeError EINVAL'], 'zero byte at the end');
expect('{folder}/spare.txt\0/../../outside/canary.txt', ['PermissionDenied'], 'zero byte and dots');
expect('', ['Error'], 'empty');
expect('{folder}/' + 'n'.repeat(256), ['Error ENAMETOOLONG'], 'long name');
expect('{folder}/' + 'é'.repeat(128), ['Error ENAMETOOLONG'], 'name of long characters');
expect('{folder}/' + 'a/'.repeat(10000), ['Error ENAMETOOLONG'], '10^4 components');
expect('{folder}/' + './'.repeat(10000) + 'spare.txt', ['Error ENAMETOOLONG'], '10^4 dots');
expect('{folder}/' + 'x/../'.repeat(5000) + 'spare.txt', ['Error ENAMETOOLONG'], '10^4 dots back');
expect('/' + 'a/'.repeat(50000), ['PermissionDenied'], '10^5 bytes elsewhere');
expect('{folder}/' + 'p'.repeat(200).repeat(1).concat('/').repeat(21) + 'p', ['Error ENAMETOOLONG'], 'beyond PATH_MAX');
wrong.push(...other_than(['NotADirectory ENOTDIR'], { ...reading(spare + '/x'), ...looking(spare + '/x') }, 'file as folder'));
return wrong;
