// B13: 1 GiB in lines: what is beyond the limit is dropped, and the run goes on
// options: --timeout 30s
// gateway-peak: 24MB
// expect: {"result": "printed", "metrics": {"logsTruncated": true}}
const line = 'x'.repeat(1 << 16);
for (let i = 0; i < 1 << 14; i++) console.log(line);
return 'printed';
