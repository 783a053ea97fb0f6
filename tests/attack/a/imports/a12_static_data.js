// A12: a static import is refused before anything runs
// expect: {"error": {"code": "MODULE_DENIED"}, "logs": []}
import x from 'data:text/javascript,export default 1';
console.log("ran");
return 1;
