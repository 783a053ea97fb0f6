// C04: 6,000 calls leave a trace of some, and all are counted
// files: x.txt = inside
// vfs: direct
// options: --allow-read={folder} --timeout 20s --max-log 10MB
// expect: {"result": true, "metrics": {"calls": 6000, "callsDenied": 3000}}
for (let i = 0; i < 3000; i++) {
  Deno.statSync('{folder}/x.txt');
  try { Deno.statSync('{outside}/canary.txt'); } catch {}
}
return true;
