// A12: a static import is refused before anything runs
// expect: {"error": {"code": "MODULE_DENIED"}, "logs": []}
import x from 'https://example.com/x.js';
console.log("ran");
return 1;
