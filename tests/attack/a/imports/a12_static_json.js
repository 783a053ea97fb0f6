// A12: a static import is refused before anything runs
// expect: {"error": {"code": "MODULE_DENIED"}, "logs": []}
import x from './x.json' with { type: 'json' };
console.log("ran");
return 1;
