// D05: a file of terabytes that holds nothing: no memory is set aside for what it says it is
// with: files.js
// files: huge (sparse)
// files: spare.txt = spare
// gateway-peak: 16MB
// options: --allow-read={folder} --allow-write={folder} --max-read 2MB --max-write 4MB --timeout 10s
// expect: {"result": {"read": "Error EFBIG", "text": "Error EFBIG", "copy": "Error ENOSPC", "large": true, "alive": "spare"}}
return { read: outcome_of(() => Deno.readFileSync('{folder}/huge')).error, text: await Deno.readTextFile('{folder}/huge').catch((e) => e.name + ' ' + e.code),
  copy: outcome_of(() => Deno.copyFileSync('{folder}/huge', '{folder}/copy')).error, large: Deno.statSync('{folder}/huge').size > 2 ** 40, alive: Deno.readTextFileSync('{folder}/spare.txt') };
