// A12: a static import is refused before anything runs, in TypeScript too
// expect: {"error": {"code": "MODULE_DENIED"}, "logs": []}
import fs from 'node:fs';
const typed: number = 1;
console.log("ran");
return typed;
