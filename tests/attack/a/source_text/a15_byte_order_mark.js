// A15: a byte order mark is not code
// expect: {"result": 2}
/*byte ef*//*byte bb*//*byte bf*/return 1 + 1;
