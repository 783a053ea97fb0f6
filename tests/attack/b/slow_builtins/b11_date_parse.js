// B11: long and strange dates
// options: --timeout 500ms --memory 256MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const s = '2000-01-01T00:00:00' + '(('.repeat(1e6);
for (;;) { Date.parse(s); new Date(s + ')'); new Date(8.64e15).toLocaleString('en', { timeZone: 'UTC' }); }
