// A09: an array of length 2^32 - 1 without elements
// expect: {"error": {"code": "RESULT_TOO_LARGE"}}
return new Array(2 ** 32 - 1);
