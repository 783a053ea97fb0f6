// A15: a source that is not UTF-8 is refused, never repaired
// expect: {"error": {"code": "SYNTAX_ERROR", "type": "SyntaxError", "message": "/UTF-8/"}}
return "/*byte c0*//*byte af*/".length;
