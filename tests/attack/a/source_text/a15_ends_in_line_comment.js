// A15: a source that ends in a line comment without a newline does not swallow what follows it
// expect: {"result": 1}
return 1 // }) (
