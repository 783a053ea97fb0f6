// B13: printing without end
// options: --timeout 3s --max-log 64KB
// gateway-peak: 24MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT"}, "metrics": {"logsTruncated": true}}
for (;;) console.error({ a: [1, 2, 3], b: 'text' });
