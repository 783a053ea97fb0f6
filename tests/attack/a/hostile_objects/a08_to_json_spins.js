// A08: toJSON that does not return
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
return { toJSON() { for (;;); } };
