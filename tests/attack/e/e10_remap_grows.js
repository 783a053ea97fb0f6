// E10: mremap grows a mapping beyond the limit
// guest: probe
// options: --memory 64MB
// expect: {"result": -12}
const at = syscall(9, 0, 4096, 3, 0x22, -1, 0);
return syscall(25, BigInt(at), 4096, 2 ** 30, 1);
