// E10: a reservation that cannot be touched, then made writable: the limit holds at that moment
// guest: probe
// options: --memory 64MB
// expect: {"result": {"reserved": true, "writable": -12}}
const at = syscall(9, 0, 2 ** 31, 0, 0x4022, -1, 0);
return { reserved: at > 0, writable: syscall(10, BigInt(at), 2 ** 31, 3) };
