// D01: file URLs, decoded once and checked after that
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": []}
const urls = ['{folder}/%2e%2e/outside/canary.txt', '{folder}/..%2foutside%2fcanary.txt', '{folder}/%2e%2e%2foutside%2fcanary.txt',
  '{folder}/.%2e/outside/canary.txt', '{outside}/canary.txt', '/etc/passwd', '{folder}/../outside/canary.txt', '//localhost{outside}/canary.txt'];
const wrong = urls.flatMap((url) => other_than(['PermissionDenied'], everything(new URL('file://' + url), '{folder}/spare.txt'), url));
wrong.push(...other_than(['TypeError EINVAL'], reading(new URL('file://{folder}/spare.txt%00')), 'zero byte'));
wrong.push(...other_than(['TypeError'], reading(new URL('http://localhost{folder}/spare.txt')), 'http'));
wrong.push(...other_than(['URIError'], reading(new URL('file://{folder}/%ff%fe')), 'not UTF-8'));
wrong.push(...other_than(['NotFound ENOENT'], reading(new URL('file://{folder}/%252e%252e/outside/canary.txt')), 'encoded twice'));
return wrong;
