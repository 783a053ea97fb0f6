// B05: (a+)+$
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
/^(a+)+$/.test('a'.repeat(100) + '!');
