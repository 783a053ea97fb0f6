// B11: normal forms of a long string of combining marks
// options: --timeout 500ms --memory 256MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const s = ('a' + '\u0301\u0323'.repeat(1000)).repeat(2000);
for (;;) { s.normalize('NFC'); s.normalize('NFKD'); s.localeCompare(s + 'x'); }
