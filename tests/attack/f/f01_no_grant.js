// F01: without a grant nothing goes out, not even a question to a name server
// with: fetches.js
// packets: none
// options: --max-log 1MB
// expect: {"result": []}
return other_than(['PermissionDenied'], ['http://good.test/ok', 'https://good.test/', 'http://93.184.216.34/', 'http://127.0.0.1/', 'http://[::1]/', 'http://localhost/', 'http://' + 'x'.repeat(60) + '.exfil.good.test/', 'http://good.test:8080/', 'http://127.0.0.1:' + context.canary.port + '/']);
