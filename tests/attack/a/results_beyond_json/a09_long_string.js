// A09: a string of half a gigabyte that costs nothing until it is flattened
// expect: {"error": {"code": "RESULT_TOO_LARGE", "message": "/characters/"}}
let rope = 'abcdefgh';
while (rope.length < 2 ** 28) rope += rope;
return rope;
