// A06: a result that is a thenable is awaited once, by the language's rules
// expect: {"result": {"depth": 3}}
return { then(resolve) { resolve({ then(next) { next({ depth: 3 }); } }); } };
