// B13: empty lines without end cost a line each
// options: --timeout 20s --max-log 64KB
// gateway-peak: 24MB
// expect: {"result": "printed", "metrics": {"logsTruncated": true}}
for (let i = 0; i < 1e6; i++) console.log('');
return 'printed';
