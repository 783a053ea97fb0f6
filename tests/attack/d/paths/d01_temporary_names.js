// D01: prefixes and suffixes of temporary files that would be paths, or start-up files
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": {"wrong": [], "made": [true, true]}}
const wrong = [];
const affixes = ['../', '/', '../outside/', '..\\', '\0', '/etc/', 'a/../../outside/', '\n', '\x7f'];
for (const affix of affixes) {
  for (const options of [{ prefix: affix }, { suffix: affix }, { prefix: affix, suffix: affix }]) {
    wrong.push(...other_than(['Error'], { file: () => Deno.makeTempFileSync({ dir: '{folder}', ...options }), dir: () => Deno.makeTempDirSync({ dir: '{folder}', ...options }) }, JSON.stringify(options)));
  }
}
wrong.push(...other_than(['PermissionDenied'], { env: () => Deno.makeTempFileSync({ dir: '{folder}', prefix: '.env.' }), glovebox: () => Deno.makeTempDirSync({ dir: '{folder}', prefix: '.glovebox' }), dots: () => Deno.makeTempFileSync({ dir: '{folder}', prefix: '..' }) }, 'start-up'));
wrong.push(...other_than(['Error ENAMETOOLONG'], { long: () => Deno.makeTempFileSync({ dir: '{folder}', prefix: 'x'.repeat(1000) }) }, 'long'));
wrong.push(...other_than(['PermissionDenied'], { none: () => Deno.makeTempFileSync(), outside: () => Deno.makeTempFileSync({ dir: '{outside}' }), dots: () => Deno.makeTempFileSync({ dir: '{folder}/../outside' }) }, 'elsewhere'));
return { wrong, made: [Deno.makeTempFileSync({ dir: '{folder}', prefix: 'a..' }), Deno.makeTempDirSync({ dir: '{folder}', suffix: '..' })].map((path) => path.startsWith('{folder}/') && Deno.statSync(path).isFile !== Deno.statSync(path).isDirectory) };
