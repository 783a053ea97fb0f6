// C04: 20,000 calls leave a trace of some, and all are counted
// files: x.txt = inside
// options: --allow-read={folder} --timeout 20s --max-log 10MB
// expect: {"result": true, "metrics": {"calls": 20000, "callsDenied": 10000}}
for (let i = 0; i < 10000; i++) {
  Deno.statSync('{folder}/x.txt');
  try { Deno.statSync('{outside}/canary.txt'); } catch {}
}
return true;
