// A16: V8's cached data starts with a magic number; as a source it is text that is not UTF-8
// expect: {"error": {"code": "SYNTAX_ERROR"}}
/*byte 5e*//*byte 06*//*byte de*//*byte c0*//*byte 00*//*byte 00*//*byte 00*//*byte 00*/return 1;
