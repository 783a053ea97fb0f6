// D05: the same where the owner allows files of any size: only the guest's own limits end it
// files: huge (sparse)
// gateway-peak: 16MB
// vfs: direct
// options: --allow-read={folder} --max-read 1000GB --memory 64MB --timeout 1s
// expect: {"error": {"code": "MEMORY_LIMIT"}}
// or: {"error": {"code": "RUNTIME_ERROR"}}
// or: {"error": {"code": "EXECUTION_TIMEOUT"}}
return Deno.readFileSync('{folder}/huge').length;
