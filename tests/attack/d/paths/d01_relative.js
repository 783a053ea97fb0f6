// D01: relative paths are meant from the gateway's folder, of which nothing is granted
// with: files.js
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": {"wrong": [], "cwd": "PermissionDenied"}}
const wrong = [context.canary.workingFile, './canary.txt', 'sub/../canary.txt', '.', './', '..', '~/.bashrc', 'file:///etc/passwd', 'file://{folder}/spare.txt']
  .flatMap((path) => other_than(['PermissionDenied'], everything(path, '{folder}/spare.txt'), path));
return { wrong, cwd: outcome_of(() => Deno.cwd()).error };
