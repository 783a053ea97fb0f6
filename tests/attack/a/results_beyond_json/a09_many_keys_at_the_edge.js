// A09: more keys than the output limit takes, while memory is no matter
// options: --max-output 1MB
// expect: {"error": {"code": "RESULT_TOO_LARGE"}}
const result = {};
for (let i = 0; i < 2e5; i++) result['k' + i] = i;
return result;
