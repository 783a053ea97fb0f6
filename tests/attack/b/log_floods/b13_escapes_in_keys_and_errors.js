// B13: the same in keys, class names, symbols, and in the error that ends the run
// expect: {"error": {"code": "RUNTIME_ERROR", "message": "/evil.*\\\\u\\{1b\\}/"}}
console.log({ '\x1b[2J': 1, [Symbol('\x1b]52;c;AA\x07')]: 2 });
console.log(new (class { get [Symbol.toStringTag]() { return '\x1b[2J'; } })(), new Map([['\u202e', '\x9b']]));
console.table([{ '\x1b[2J': '\x1b[3J' }]);
console.group('\x1b[2J');
console.count('\x1b[2J');
console.assert(false, '\x1b[2J');
throw new Error('evil \x1b[2J\u202e');
