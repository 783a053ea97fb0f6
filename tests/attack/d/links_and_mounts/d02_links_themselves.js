// D02: removing, renaming and replacing a link that leads out changes the link and not what it leads to
// with: files.js
// files: spare.txt = spare
// files: a -> {outside}/victim.txt
// files: b -> {outside}
// files: c -> {outside}
// files: d -> {outside}/victim.txt
// files: tree/in/e -> {outside}
// files: tree/in/f -> {outside}/victim.txt
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": [["c2", "spare.txt"], "spare"]}
Deno.removeSync('{folder}/a');
Deno.removeSync('{folder}/b', { recursive: true });
Deno.renameSync('{folder}/c', '{folder}/c2');
Deno.renameSync('{folder}/spare.txt', '{folder}/d');
Deno.renameSync('{folder}/d', '{folder}/spare.txt');
Deno.removeSync('{folder}/tree', { recursive: true });
return [[...Deno.readDirSync('{folder}')].map((entry) => entry.name).sort(), Deno.readTextFileSync('{folder}/spare.txt')];
