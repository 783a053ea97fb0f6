// C04: denials of names of a megabyte: neither the log nor the trace keeps them whole
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// gateway-peak: 32MB
// vfs: direct
// options: --allow-read={folder} --allow-env=X_* --max-log 1GB --timeout 60s
// expect: {"result": 180}
const name = 'n'.repeat(1000000);
let denied = 0;
for (let i = 0; i < 60; i++) {
  denied += said(call('env.get', { name })) === 'PermissionDenied';
  denied += said(call('fs.read', { path: '/' + name })) === 'PermissionDenied';
  denied += said(call('run', { command: name, args: [], env: [] })) === 'PermissionDenied';
}
return denied;
