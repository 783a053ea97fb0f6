// C12: the same in an uncaught error
// files: x.txt = inside
// options: --allow-read={folder}
// expect: {"error": {"code": "PERMISSION_DENIED"}}
Deno.readTextFileSync('/\u001b[2J\r\n{"forged":true}\u202e\u009b31m');
