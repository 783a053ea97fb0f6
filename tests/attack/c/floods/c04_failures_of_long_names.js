// C04: failures that name a megabyte: the trace does not keep it whole
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// gateway-peak: 32MB
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --allow-env=X_* --timeout 60s
// expect: {"result": {"TypeError": 60, "NotFound ENOENT": 60, "Error ENAMETOOLONG": 120}}
const name = 'n'.repeat(1000000);
const seen = {};
const note = (reply) => { seen[said(reply)] = (seen[said(reply)] ?? 0) + 1; };
for (let i = 0; i < 60; i++) {
  note(call('env.get', { name: 'X_=' + name }));
  note(call('run', { command: 'x', args: [], env: [], cwd: '{folder}/' + name }));
  note(call('fs.rename', { path: '{folder}/' + name, to: '{folder}/x' }));
  note(call('fs.copy', { path: '{folder}/x.txt', to: '{folder}/' + name }));
}
return seen;
