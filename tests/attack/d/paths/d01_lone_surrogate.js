// D01: half a character in a path stays one file, whatever it is called then
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": [true, 2]}
Deno.writeTextFileSync('{folder}/x\ud800', 'a');
const names = [...Deno.readDirSync('{folder}')].map((entry) => entry.name);
return [names.every((name) => name.isWellFormed()), names.length];
