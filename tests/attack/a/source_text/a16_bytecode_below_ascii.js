// A16: QuickJS bytecode and a V8 snapshot's first bytes, as far as they are ASCII
// expect: {"error": {"code": "SYNTAX_ERROR"}}
/*byte 02*//*byte 05*//*byte 01*//*byte 00*//*byte 00*/std/*byte 0e*//*byte 00*/
