// A10: a value of a kind that JSON lacks is refused by its path, also in a Set, which itself is JSON
// expect: {"error": {"code": "RESULT_NOT_SERIALIZABLE", "type": "RuntimeError", "message": "/result.a.b.*Symbol|symbol/"}}
return { a: { b: new Set([1, Symbol('x')]) } };
