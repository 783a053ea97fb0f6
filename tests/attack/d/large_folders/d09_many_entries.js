// D09: a folder of 10^5 entries is listed whole, by the guest's memory and not the gateway's
// files: many (many 100000)
// vfs: direct
// options: --allow-read={folder} --allow-write={folder} --timeout 20s --memory 512MB
// expect: {"result": [100000, 100000]}
const names = new Set([...Deno.readDirSync('{folder}/many')].map((entry) => entry.name));
let count = 0;
for await (const entry of Deno.readDir('{folder}/many')) count += entry.isFile;
return [names.size, count];
