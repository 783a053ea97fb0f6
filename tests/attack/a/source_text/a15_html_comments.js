// A15: HTML comments, which scripts know and modules do not, and a source that ends inside of a comment
// expect: {"error": {"code": "SYNTAX_ERROR"}}
return 1 /* never closed
