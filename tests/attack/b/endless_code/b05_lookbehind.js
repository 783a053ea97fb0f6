// B05: backtracking inside of a lookbehind
// options: --timeout 300ms
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
/(?<=x(?:a|a)*)b/.test('a'.repeat(100) + 'b');
