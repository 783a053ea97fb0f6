// C05: a write that is under way when the run is over is over, too
// files: x.txt = inside
// options: --allow-read={folder} --allow-write={folder} --timeout 700ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
const bytes = new Uint8Array(4 << 20);
for (let i = 0; ; i++) await Deno.writeFile('{folder}/x' + (i % 4), bytes);
