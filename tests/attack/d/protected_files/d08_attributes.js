// D08: a copy has neither attributes nor capabilities of what it was made from
// files: tool = tool
// files: tool (attribute)
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": "tool"}
Deno.copyFileSync('{folder}/tool', '{folder}/copy');
return Deno.readTextFileSync('{folder}/copy');
