// A15: a zero byte inside of a string does not end the source
// expect: {"result": {"length": 3, "after": true}}
const a = 'x/*byte 00*/y';
return { length: a.length, after: true };
