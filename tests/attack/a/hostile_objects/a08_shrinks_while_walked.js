// A08: an array that loses its elements, and an object that loses its keys, while they are read
// expect: {"result": {"list": ["first", null, null], "object": {"a": "first", "b": null}}}
const list = [{ toJSON() { list.length = 0; return 'first'; } }, 2, 3];
const object = { a: { toJSON() { delete object.b; return 'first'; } }, b: 2 };
return { list, object };
