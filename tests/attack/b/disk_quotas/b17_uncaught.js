// B17: an uncaught error about a quota is a limit that was hit
// files: spare.txt = spare
// options: --allow-read={folder} --allow-write={folder} --max-write 1KB
// expect: {"error": {"type": "LimitError", "code": "WRITE_QUOTA"}}
Deno.writeTextFileSync('{folder}/x', 'x'.repeat(2000));
