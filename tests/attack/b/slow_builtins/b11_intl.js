// B11: Intl objects, collation and segments
// options: --timeout 500ms --memory 256MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
const s = 'the quick brown fox '.repeat(1e4);
for (;;) { [...new Intl.Segmenter('th', { granularity: 'word' }).segment(s)]; new Intl.DateTimeFormat('ar-u-ca-islamic', { timeZone: 'Asia/Tokyo', dateStyle: 'full' }).format(0); new Intl.Collator('de').compare(s, s + 'x'); }
