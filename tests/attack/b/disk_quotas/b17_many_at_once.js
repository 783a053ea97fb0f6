// B17: writes that are under way at the same time share one quota
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder} --max-write 1MB
// expect: {"result": [3, true]}
const bytes = new Uint8Array(300 * 1024);
const ends = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => Deno.writeFile('{folder}/x' + i, bytes)));
const sum = [...Deno.readDirSync('{folder}')].reduce((total, entry) => total + Deno.statSync('{folder}/' + entry.name).size, 0);
return [ends.filter((end) => end.status === 'fulfilled').length, sum <= (1 << 20) + 5];
