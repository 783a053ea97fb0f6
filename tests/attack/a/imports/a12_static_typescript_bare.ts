// A12: a static import is refused before anything runs, in TypeScript too
// expect: {"error": {"code": "MODULE_DENIED"}, "logs": []}
import 'left-pad';
const typed: number = 1;
console.log("ran");
return typed;
