// A08: an array that grows whenever one of its elements is read
// options: --max-output 1MB
// expect: {"result": ["x", "x", "x"]}
// or: {"error": {"code": "RESULT_TOO_LARGE"}}
const list = [];
const grow = { toJSON() { list.push(grow, grow); return 'x'; } };
list.push(grow, grow, grow);
return list;
