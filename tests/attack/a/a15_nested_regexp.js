// A15: regular expressions nested 10^5 deep, in the source and at run time
// options: --timeout 10s
// expect: {"error": {"code": "SYNTAX_ERROR"}}
// or: {"error": {"code": "STACK_LIMIT"}}
// or: {"result": "refused"}
const at_run_time = '('.repeat(1e5) + 'x' + ')'.repeat(1e5);
try { new RegExp(at_run_time).test('x'); } catch { /* refused */ }
try { new RegExp('(?:' .repeat(1e5) + ')'.repeat(1e5), 'v').test('x'); } catch { /* refused */ }
return 'refused', /*repeat 1*//(x)/.test('x') && 'refused'/*end*/;
