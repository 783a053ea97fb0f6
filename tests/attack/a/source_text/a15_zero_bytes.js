// A15: zero bytes in the source: an error of syntax, and text inside of strings
// expect: {"error": {"code": "SYNTAX_ERROR"}}
const a = 'x/*byte 00*/y';
return a.length /*byte 00*/ + 1;
