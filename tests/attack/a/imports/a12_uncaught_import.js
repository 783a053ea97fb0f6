// A12: an uncaught denial of an import ends the run as a denial
// expect: {"error": {"type": "PermissionError", "code": "MODULE_DENIED", "message": "/node:fs/"}}
const fs = await import('node:fs');
return fs.readFileSync('/etc/passwd', 'utf8');
