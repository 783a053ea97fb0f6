// E10: a mapping at address zero is refused by the kernel
// guest: probe
// expect: {"result": {"mapped": false}}
const at = syscall(9, 0, 4096, 3, 0x32, -1, 0);
return { mapped: at === 0 };
