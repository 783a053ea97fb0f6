// B11: a search that native code does in one go, quadratic
// options: --timeout 500ms --memory 256MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const hay = 'a'.repeat(2e7), needle = 'a'.repeat(1e4) + 'b';
for (;;) { hay.indexOf(needle); hay.lastIndexOf('b' + needle); hay.includes(needle); }
