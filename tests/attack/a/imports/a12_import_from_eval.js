// A12: code made at run time imports as little
// expect: {"result": ["PermissionDenied", "PermissionDenied", "PermissionDenied", "PermissionDenied"]}
const names = [];
const attempts = [() => eval("import('node:fs')"), () => (0, eval)("import('node:fs')"), () => new Function("return import('node:fs')")(),
  () => new Promise((resolve, reject) => setTimeout(() => import('node:fs').then(resolve, reject), 1))];
for (const attempt of attempts) { try { await attempt(); names.push('loaded'); } catch (error) { names.push(error.name); } }
return names;
