// A10: a result of a kind that JSON lacks is refused by its path
// expect: {"error": {"code": "RESULT_NOT_SERIALIZABLE", "type": "RuntimeError", "message": "/result.a.b.*boxed/"}}
return { a: { b: Object(1n) } };
