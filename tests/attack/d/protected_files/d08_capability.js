// D08: a program with capabilities loses them when it is written to, and a copy has none
// files: tool = tool
// files: tool (mode 755)
// files: tool (capability)
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": "guest"}
Deno.copyFileSync('{folder}/tool', '{folder}/copy');
Deno.writeTextFileSync('{folder}/copy', 'guest');
return Deno.readTextFileSync('{folder}/copy');
