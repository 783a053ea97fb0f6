// A09: a result 10^6 levels deep
// expect: {"error": {"code": "RESULT_TOO_LARGE", "type": "LimitError", "message": "/nested deeper/"}}
let value = [];
for (let i = 0; i < 1e6; i++) value = [value];
return value;
