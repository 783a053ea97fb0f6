// B11: JSON of ten megabytes, forth and back
// options: --timeout 500ms --memory 512MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const a = Array.from({ length: 3e5 }, (_, i) => ({ i, s: 's' + i }));
for (;;) JSON.parse(JSON.stringify(a));
