// C01: the bytes of a write that is refused go nowhere, and the calls after it work
// guest: probe
// with: frames.js
// with: calls.js
// files: x.txt = inside
// gateway-peak: 16MB
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": ["PermissionDenied", "PermissionDenied", "inside"]}
const bytes = new Uint8Array(3000000);
const first = said(call('fs.write', { path: '{outside}/victim.txt', create: true }, bytes));
const second = said(call('fs.write', { path: '{folder}/.bashrc', create: true }, bytes));
return [first, second, call('fs.read', { path: '{folder}/x.txt' }).text];
