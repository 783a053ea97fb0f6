// D09: folders within folders, deeper than a path is long: a typed refusal, and the gateway's stack holds
// with: files.js
// files: deep (deep 400)
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder}
// expect: {"result": {"remove": "Error EFBIG", "read": "Error ENAMETOOLONG", "alive": "spare"}}
return { remove: outcome_of(() => Deno.removeSync('{folder}/deep', { recursive: true })).error, read: outcome_of(() => Deno.readTextFileSync('{folder}/deep/' + 'd/'.repeat(2500) + 'f')).error, alive: Deno.readTextFileSync('{folder}/spare.txt') };
