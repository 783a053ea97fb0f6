// A12: require refuses, whatever it is asked for and however it is called
// expect: {"result": ["PermissionDenied", "PermissionDenied", "PermissionDenied", "PermissionDenied", "undefined", "undefined"]}
const names = [];
for (const attempt of [() => require('fs'), () => require('node:child_process'), () => require.call(null, '/etc/passwd'), () => require(context.canary.file)]) {
  try { attempt(); names.push('loaded'); } catch (error) { names.push(error.name); }
}
return [...names, typeof require.cache, typeof require.resolve];
