// A10: a value of a kind that JSON lacks is refused by its path, also in a Map, which itself is JSON
// expect: {"error": {"code": "RESULT_NOT_SERIALIZABLE", "type": "RuntimeError", "message": "/result.a.b.*Symbol|symbol/"}}
return { a: { b: new Map([[1, Symbol('x')]]) } };
