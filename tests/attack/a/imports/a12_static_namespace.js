// A12: a static import is refused before anything runs
// expect: {"error": {"code": "MODULE_DENIED"}, "logs": []}
import * as x from '../../x.js';
console.log("ran");
return 1;
