// A12: a static import is refused before anything runs, in TypeScript too
// expect: {"error": {"code": "MODULE_DENIED"}, "logs": []}
import x from './x.json' with { type: 'json' };
const typed: number = 1;
console.log("ran");
return typed;
