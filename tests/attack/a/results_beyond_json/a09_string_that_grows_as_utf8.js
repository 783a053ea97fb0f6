// A09: a string whose escapes and UTF-8 bytes are six and three times its length
// options: --max-output 1MB
// expect: {"error": {"code": "RESULT_TOO_LARGE"}}
return ['\u0001'.repeat(300000), '\uffff'.repeat(300000)];
