// E10: native code moves its break beyond the run's memory
// guest: probe
// options: --memory 64MB
// expect: {"result": {"grew": false}}
const at = syscall(12, 0);
return { grew: syscall(12, at + 2 ** 30) >= at + 2 ** 30 };
