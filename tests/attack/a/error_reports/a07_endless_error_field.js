// A07: an error whose message never comes
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}}
throw { get message() { for (;;); } };
