// A12: a static import is refused before anything runs
// expect: {"error": {"code": "MODULE_DENIED"}, "logs": []}
import 'left-pad';
console.log("ran");
return 1;
