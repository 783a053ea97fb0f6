// A07: a chain of causes that bites its own tail, with an AggregateError in it
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/outer/"}, "logs": ["/outer/"]}
const inner = new Error('inner');
const many = new AggregateError([inner, inner], 'many', { cause: inner });
inner.cause = many;
const outer = new Error('outer', { cause: inner });
many.errors.push(outer);
console.log(outer);
throw outer;
