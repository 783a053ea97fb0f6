// A12: a static import is refused before anything runs
// expect: {"error": {"code": "MODULE_DENIED"}, "logs": []}
// or: {"error": {"code": "SYNTAX_ERROR"}}
import defer * as x from 'node:fs';
console.log("ran");
return 1;
