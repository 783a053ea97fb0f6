// A15: what stands beside the wrapper runs under the same limits
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
// or: {"error": {"code": "SYNTAX_ERROR"}}
return 1 })(); for (;;); (async () => {
