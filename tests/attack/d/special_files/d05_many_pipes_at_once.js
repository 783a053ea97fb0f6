// D05: a hundred reads and writes of a pipe at once do not hold up a file beside it
// files: spare.txt = spare
// files: pipe (fifo)
// options: --allow-read={folder} --allow-write={folder} --timeout 4s
// expect: {"result": ["PermissionDenied", "spare"]}
const tries = Array.from({ length: 100 }, (_, i) => (i % 2 ? Deno.readFile('{folder}/pipe') : Deno.writeTextFile('{folder}/pipe', 'x')));
const names = new Set((await Promise.allSettled(tries)).map((end) => end.reason?.name ?? 'done'));
return [[...names].join(), await Deno.readTextFile('{folder}/spare.txt')];
