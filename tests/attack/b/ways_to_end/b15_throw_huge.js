// B15: throw a string of a megabyte
// expect: {"error": {"code": "RUNTIME_ERROR"}}
throw '\u001b'.repeat(2 ** 20);
