// B15: throw an object of a megabyte
// expect: {"error": {"code": "RUNTIME_ERROR"}}
throw { text: 'x'.repeat(2 ** 20), list: new Array(1e5).fill({}) };
